import io
from datetime import UTC, datetime

from rich.console import Console

from memory_site.demo.ask import Asked
from memory_site.demo.client import Hit, Recalled
from memory_site.demo.samples import Question
from memory_site.demo.show import TEXT_MAX_LENGTH, shortened, show


def shown(answer: Recalled, tenant: str = "acme") -> str:
    question = Question(
        id="q", tenant="acme", user_id="maria", text="Where [now]?", expect=("t1",), also_ask="globex"
    )
    out = io.StringIO()
    show(Console(file=out, width=110, highlight=False), Asked(question=question, tenant=tenant, answer=answer))
    return out.getvalue()


def answer(*hits: Hit, reason: str | None = None, degraded: tuple[str, ...] = ()) -> Recalled:
    return Recalled(hits=hits, reason=reason, degraded=degraded, client_ms=12.6, took_ms={"total": 9.0})


HIT = Hit(
    text="I moved to [bold]Edinburgh[/bold].\nBristol is history.",
    score=0.9,
    occurred_at=datetime(2026, 2, 20, 18, 3, tzinfo=UTC),
    turn_id="018f",
    session_id="chat-2026-02-20",
    position=7,
    who="user",
)


def test_a_hit_is_shown_with_date_speaker_text_and_source() -> None:
    text = shown(answer(HIT))
    for part in ("Where [now]?", "acme / maria", "13 ms", "2026-02-20", "user", "chat-2026-02-20, turn 7"):
        assert part in text


def test_what_was_said_is_never_taken_for_markup() -> None:
    assert "[bold]Edinburgh[/bold]. Bristol is history." in " ".join(shown(answer(HIT)).split())


def test_without_a_terminal_there_is_no_colour() -> None:
    assert "\x1b" not in shown(answer(HIT))


def test_an_empty_answer_says_why() -> None:
    assert "nothing: this tenant has nothing stored for that user" in shown(
        answer(reason="nothing_stored"), tenant="globex"
    )


def test_a_foreign_answer_is_shown_even_if_it_holds_what_it_must_not() -> None:
    assert "Edinburgh" in shown(answer(HIT), tenant="globex")


def test_a_degraded_answer_says_so() -> None:
    assert "answered without: embedder" in shown(answer(HIT, degraded=("embedder",)))


def test_short_text_stays_as_it_is_and_long_text_is_cut_at_a_word() -> None:
    assert shortened("two\n words") == "two words"
    cut = shortened("word " * 100)
    assert cut.endswith("word…")
    assert len(cut) <= TEXT_MAX_LENGTH


def test_chinese_text_is_cut_without_looking_for_spaces() -> None:
    assert len(shortened("豆" * 500)) == TEXT_MAX_LENGTH
