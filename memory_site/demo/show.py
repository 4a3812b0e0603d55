"""Printing answers for people: on a terminal with colour, in a pipe as plain lines."""

from collections.abc import Iterable

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from memory_site.demo.ask import Asked
from memory_site.demo.client import Hit
from memory_site.demo.facts import AFTER, BEFORE, QUESTION, TENANT, USER_ID, View
from memory_site.demo.replay import Replayed

TEXT_MAX_LENGTH = 160
PIPED_WIDTH = 110
REASONS = {
    "nothing_stored": "this tenant has nothing stored for that user",
    "filtered": "everything stored is outside the filters",
    "below_threshold": "nothing stored is near enough to the question",
    "expired_or_superseded": "what was stored is no longer valid",
}


def make_console(*, width: int | None = None) -> Console:
    """Return the console of standard output; in a pipe a fixed width keeps the columns together."""
    console = Console(highlight=False, width=width)
    if not console.is_terminal and width is None:
        console.width = PIPED_WIDTH
    return console


def show_replay(console: Console, replayed: Replayed, *, sessions: int) -> None:
    """Say what the replay wrote."""
    console.print(f"Replayed {sessions} sessions: {replayed.new} turns are new, {replayed.known} were there already.")
    console.print(
        "What is recalled here are turns, word for word as they were said; facts follow in a quarter of an hour."
    )


def show_facts(console: Console, views: Iterable[View], *, new: bool) -> None:
    """Print the fact in every view."""
    console.print()
    console.print(Text("An agent can write a fact itself: POST memories/", "bold"))
    first = "was written, then" if new else "was there from an earlier run,"
    console.print(f"  “{BEFORE['text']}” {first} superseded by “{AFTER['text']}”, not overwritten.")
    console.print(
        Text.assemble("  ", (QUESTION, "bold"), ("   asked for ", "dim"), (f"{TENANT} / {USER_ID}", "cyan"))
    )
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    table.add_column(style="magenta", no_wrap=True)
    table.add_column(overflow="fold")
    table.add_column(style="dim", no_wrap=True)
    for view in views:
        for hit in view.answer.hits:
            table.add_row(view.asked if hit is view.answer.hits[0] else "", Text(shortened(hit.text)), hit.status)
        if not view.answer.hits:
            table.add_row(view.asked, "nothing", view.answer.reason or "")
    console.print(Padding(table, (0, 0, 0, 2)))


def show(console: Console, asked: Asked) -> None:
    """Print one question with the memories it recalled, whatever they are."""
    heading = Text.assemble(
        (asked.question.text, "bold"),
        ("   asked for ", "dim"),
        (f"{asked.tenant} / {asked.question.user_id}", "cyan"),
        (f"   {asked.answer.client_ms:.0f} ms", "dim"),
    )
    console.print()
    console.print(heading)
    if asked.is_foreign:
        console.print(Text(f"  (about {asked.question.tenant}: another tenant must not know)", "dim"))
    if asked.answer.degraded:
        console.print(Text(f"  answered without: {', '.join(asked.answer.degraded)}", "yellow"))
    if asked.answer.hits:
        console.print(Padding(_table(asked.answer.hits), (0, 0, 0, 2)))
    else:
        reason = asked.answer.reason or "no reason given"
        console.print(Text(f"  nothing: {REASONS.get(reason, reason)}", "green" if asked.is_foreign else ""))


def shortened(text: str) -> str:
    """Return a text on one line, cut at a word where it is longer than the demo shows."""
    folded = " ".join(text.split())
    if len(folded) <= TEXT_MAX_LENGTH:
        return folded
    cut = folded[: TEXT_MAX_LENGTH - 1]
    return (cut.rsplit(" ", 1)[0] if " " in cut[TEXT_MAX_LENGTH // 2 :] else cut) + "…"


def _table(hits: tuple[Hit, ...]) -> Table:
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    table.add_column(justify="right", style="bold", width=1)
    table.add_column(style="magenta", no_wrap=True, width=10)
    table.add_column(style="cyan", max_width=16)
    table.add_column(overflow="fold")  # Chinese has no spaces to break lines at
    table.add_column(style="dim", no_wrap=True)
    for place, hit in enumerate(hits, start=1):
        table.add_row(
            str(place),
            f"{hit.occurred_at:%Y-%m-%d}",
            Text(hit.who),
            Text(shortened(hit.text)),
            Text(f"{hit.session_id}, turn {hit.position}"),
        )
    return table
