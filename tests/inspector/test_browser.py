"""The live page in a real browser, on a whole running Mneme."""

import itertools
import json
import os
import re
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

from tests.conftest import LiveStack

pytestmark = pytest.mark.browser

AXE = Path(__file__).parents[1] / "vendor" / "axe" / "axe.min.js"
WIDE, NARROW = ViewportSize(width=1360, height=900), ViewportSize(width=390, height=844)
ON_SCREEN_WITHIN_MS = 2_000
RETRY_WITHIN_MS = 30_000
_counter = itertools.count(1)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Start the machine's Chromium."""
    found = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    assert found, "no Chromium: install one (Debian: apt install chromium), or name it by CHROMIUM=/path"
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=found, args=["--no-sandbox", "--disable-gpu"])
        yield running
        running.close()


@dataclass(frozen=True, slots=True, kw_only=True)
class Watched:
    """A tenant of its own: an agent that writes, and a page on which a member watches; faults: of the console."""

    slug: str
    agent: httpx.Client
    page: Page
    faults: list[str] = field(default_factory=list)

    def say(self, content: str, **fields: Any) -> dict[str, Any]:
        """Record a turn."""
        return self._post("turns/", {"user_id": "user-81", "session_id": "chat-1", "content": content, **fields})

    def learn(self, text: str, **fields: Any) -> dict[str, Any]:
        """Write a fact."""
        return self._post("memories/", {"user_id": "user-81", "text": text, **fields})

    def ask(self, query: str) -> dict[str, Any]:
        """Recall."""
        return self._post("recall/", {"user_id": "user-81", "query": query})

    def _post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        answer = self.agent.post(path, json=body)
        assert answer.is_success, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def numbers(self) -> list[int]:
        """Return the numbers of the events on the screen, ascending."""
        rows = self.page.locator(".row").evaluate_all("rows => rows.map(row => Number(row.dataset.seq))")
        return sorted(rows)

    def state(self, words: str, within_ms: int = 10_000) -> None:
        """Wait until the indicator says so."""
        expect(self.page.locator("#state")).to_have_text(re.compile(words), timeout=within_ms)


@pytest.fixture
def watched(live_stack: LiveStack, browser: Browser) -> Iterator[Watched]:
    """Make a tenant and its owner, who signs in and opens the live page."""
    slug = f"watched-{next(_counter)}"
    key = live_stack.stack.create_tenant(slug)
    password = live_stack.stack.manage("create_admin", f"{slug}-owner", "--tenant", slug).split()[-1]
    context = browser.new_context(viewport=WIDE, locale="en-GB", timezone_id="Europe/Oslo")
    page = context.new_page()
    faults: list[str] = []
    page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(f"{live_stack.url}/inspector/{slug}/")
    page.fill("input[name=username]", f"{slug}-owner")
    page.fill("input[name=password]", password)
    page.click("[type=submit]")
    page.wait_for_url(f"**/inspector/{slug}/")
    faults.clear()  # of the login page
    headers = {"Authorization": f"Bearer {key}"}
    with httpx.Client(base_url=f"{live_stack.url}/api/v1/", headers=headers, timeout=20) as agent:
        yield Watched(slug=slug, agent=agent, page=page, faults=faults)
    context.close()


def test_what_is_written_is_on_the_screen_within_two_seconds(watched: Watched) -> None:
    page = watched.page
    watched.state("^Live")
    expect(page.locator("#empty")).to_contain_text("/api/v1/turns/")
    took = []
    for index in range(3):
        start = time.monotonic()
        watched.say(f"I moved to Bergen last week, part {index}")
        page.get_by_text(f"part {index}", exact=False).first.wait_for(timeout=ON_SCREEN_WITHIN_MS)
        took.append(time.monotonic() - start)
    assert max(took) < ON_SCREEN_WITHIN_MS / 1000
    expect(page.locator("#empty")).to_be_hidden()
    watched.state(r"^Live, \d+\.\d s behind$")
    expect(page.locator("#announce")).to_have_text(re.compile(r"^\d new events?$"), timeout=10_000)
    assert watched.faults == []


def test_a_turn_and_what_became_of_it_are_one_group(watched: Watched) -> None:
    page = watched.page
    said = watched.say("I moved to Bergen last week")
    old = watched.learn("Lives in Oslo", slot="home", valid_from="2020-01-01T00:00:00Z")
    span = {"turn_id": said["turn_id"], "start": 0, "end": 17}
    new = watched.learn("Lives in Bergen", slot="home", supersedes_id=old["id"], sources=[span])
    watched.ask("Where does the person live?")
    group = page.locator(".group", has_text="I moved to Bergen")
    expect(group.locator(".kind", has_text="superseded")).to_be_visible()
    expect(group.locator("del")).to_have_text("Lives in Oslo")
    expect(group.locator("ins")).to_have_text("Lives in Bergen")
    expect(group.locator(".who")).to_have_text("user-81 · chat-1")
    expect(page.locator(".kind", has_text="recalled")).to_be_visible()
    deleted = watched.agent.delete(f"memories/{new['id']}/")
    assert deleted.is_success, deleted.text
    expect(page.locator(".kind", has_text="retracted")).to_be_visible()
    assert watched.faults == []


@pytest.mark.parametrize("is_paused", [False, True])
def test_texts_of_an_erased_person_leave_an_open_page(
    live_stack: LiveStack, watched: Watched, is_paused: bool
) -> None:
    page = watched.page
    watched.say("the zebrafinch is mine", user_id="gone-1")
    watched.say("the heron stays", user_id="stays-1")
    watched.learn("Keeps a zebrafinch", user_id="gone-1")
    expect(page.get_by_text("Keeps a zebrafinch").first).to_be_visible()
    expect(page.get_by_text("the heron stays").first).to_be_visible()
    if is_paused:
        page.locator(".row", has_text="the zebrafinch is mine").click()
        expect(page.locator("#detail .said").first).to_contain_text("zebrafinch")
        watched.say("a turn that waits", user_id="stays-1")
        watched.state("^Paused, 1 new$")
    key = live_stack.stack.manage(
        "issue_key", watched.slug, "--ability", "compliance", "--ability", "memories:read"
    ).split()[-1]
    headers = {"Authorization": f"Bearer {key}"}
    found = watched.agent.get("subjects/", params={"user_id": "gone-1"}).json()["results"][0]
    assert watched.agent.post(f"subjects/{found['id']}/erase/", headers=headers).status_code == 202
    expect(page.locator("body")).not_to_contain_text("zebrafinch", timeout=10_000)
    expect(page.locator("body")).not_to_contain_text("gone-1")
    expect(page.get_by_text("the heron stays").first).to_be_visible()
    expect(page.get_by_text("a turn that waits")).to_have_count(0)
    if not is_paused:
        expect(page.locator(".kind", has_text="person erased")).to_be_visible(timeout=20_000)
    seen = watched.numbers()
    assert len(seen) == len(set(seen))
    assert watched.faults == []


def test_text_is_text(watched: Watched) -> None:
    watched.say("<img src=x onerror=\"document.title='taken'\"><script>document.title='taken'</script>\u202e")
    expect(watched.page.locator(".line", has_text="<img src=x")).to_be_visible()
    watched.page.locator(".row", has_text="<img").click()
    expect(watched.page.locator("#detail .said").first).to_contain_text("<script>")
    assert watched.page.locator("#groups img, #groups script, #detail img").count() == 0
    assert "taken" not in watched.page.title()
    assert watched.faults == []


def test_a_reader_is_not_moved_until_wanting_to_be(watched: Watched) -> None:
    page = watched.page
    watched.say("the first turn")
    page.locator(".row", has_text="the first turn").click()
    watched.state("^Paused$")
    expect(page.locator("#detail")).to_contain_text("turn.recorded")
    watched.say("the second turn")
    watched.state("^Paused, 1 new$")
    assert page.get_by_text("the second turn").count() == 0
    expect(page).to_have_url(re.compile("paused=1"))
    page.keyboard.press("l")
    expect(page.get_by_text("the second turn").first).to_be_visible()
    watched.state("^Live")
    expect(page).not_to_have_url(re.compile("paused"))


def test_the_keyboard_is_enough(watched: Watched) -> None:
    page = watched.page
    watched.say("the first turn")
    expect(page.get_by_text("the first turn").first).to_be_visible()
    page.keyboard.press("j")
    expect(page.locator(".row").first).to_be_focused()
    page.keyboard.press("j")
    page.keyboard.press("k")
    expect(page.locator(".row").first).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#detail-body")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#detail-body")).to_be_hidden()
    expect(page.locator(".row").first).to_be_focused()
    page.keyboard.press("Space")
    watched.state("^Live")
    page.keyboard.press("Space")
    watched.state("^Paused")
    page.keyboard.press("?")
    expect(page.locator("#help")).to_be_visible()
    page.get_by_label("Use these keys").uncheck()
    page.keyboard.press("Escape")
    page.keyboard.press("Space")
    page.wait_for_timeout(300)
    watched.state("^Paused")
    page.get_by_label("Recalls").focus()
    page.keyboard.press("Space")
    expect(page).to_have_url(re.compile("hide=recalls"))


def test_a_link_shows_what_it_was_made_of(watched: Watched) -> None:
    page = watched.page
    watched.say("the first turn")
    page.locator(".row", has_text="the first turn").click()
    expect(page).to_have_url(re.compile("sel="))
    watched.say("the second turn")
    watched.state("^Paused, 1 new$")
    page.reload()
    expect(page.locator("#detail .said").first).to_have_text("the first turn")
    expect(page.get_by_text("the second turn").first).to_be_visible()
    watched.state("^Paused$")


def test_kinds_can_be_left_out(watched: Watched) -> None:
    page = watched.page
    watched.say("the otter is called Bramble")
    watched.ask("otter")
    expect(page.locator(".kind", has_text="recalled")).to_be_visible()
    page.get_by_label("Recalls").uncheck()
    expect(page.locator(".kind", has_text="recalled")).to_be_hidden()
    expect(page.locator(".kind", has_text="turn recorded")).to_be_visible()
    page.reload()
    expect(page.locator(".kind", has_text="turn recorded")).to_be_visible()
    expect(page.locator(".kind", has_text="recalled")).to_be_hidden()


@pytest.mark.parametrize("away", ["web", "valkey"])
def test_after_a_restart_nothing_is_missing_and_nothing_twice(
    live_stack: LiveStack, watched: Watched, away: Any
) -> None:
    watched.say("before")
    expect(watched.page.get_by_text("before", exact=False).first).to_be_visible()
    before = len(watched.numbers())
    live_stack.stack.kill(away)
    try:
        if away == "web":
            watched.state(r"^Disconnected \d+ s, retrying$")
        else:
            watched.say("while it is away")
            watched.page.get_by_text("while it is away").first.wait_for(timeout=4_000)
    finally:
        live_stack.stack.start(away)
    for index in range(5):
        watched.say(f"after {index}")
    expect(watched.page.get_by_text("after 4").first).to_be_visible(timeout=RETRY_WITHIN_MS)
    watched.state("^Live")
    seen = watched.numbers()
    assert seen == list(range(1, len(seen) + 1))
    assert len(seen) == before + (5 if away == "web" else 6)


def test_older_events_can_be_loaded(watched: Watched) -> None:
    for start in range(0, 240, 40):
        for index in range(start, start + 40):
            watched.say(f"turn {index}", session_id=f"s{index}")
    expect(watched.page.get_by_text("turn 239", exact=False).first).to_be_visible()
    time.sleep(1)
    watched.page.reload()
    gap = watched.page.locator(".gap")
    expect(gap).to_contain_text("not shown")
    gap.get_by_role("button").click()
    expect(gap).to_have_count(0)
    seen = watched.numbers()
    assert len(seen) > 240
    assert seen == list(range(1, len(seen) + 1))


def test_the_admin_leads_here(live_stack: LiveStack, watched: Watched) -> None:
    page = watched.page
    page.goto(f"{live_stack.url}/admin/")
    page.get_by_role("button", name=watched.slug).first.click()
    page.get_by_role("link", name="Live").first.click()
    watched.state("^Live")


def test_signed_out_or_foreign_the_page_shows_nothing(live_stack: LiveStack, watched: Watched) -> None:
    refused = watched.page.goto(f"{live_stack.url}/inspector/acme/")
    assert refused is not None
    assert refused.status == 404
    expect(watched.page.locator("h1")).to_have_text("Nothing to watch here")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("name", "viewport"), [("wide", WIDE), ("narrow", NARROW)])
def test_it_is_accessible_in_both_themes_and_widths(watched: Watched, scheme: Any, name: str, viewport: Any) -> None:
    page = watched.page
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.set_viewport_size(viewport)
    watched.state("^Live$")
    expect(page.locator("#empty")).to_be_visible()
    _look(page, f"empty-{scheme}-{name}")
    faults = _axe(page)
    said = watched.say("I moved to Bergen last week. The hub is in the hall, and the code is E-4012.")
    watched.say("Noted: Bergen, and the hub.", role="assistant")
    watched.say("我上周搬到了卑尔根，路由器在走廊里。", session_id="聊天-2", user_id="林")
    old = watched.learn("Lives in Oslo", slot="home", valid_from="2020-01-01T00:00:00Z")
    span = {"turn_id": said["turn_id"], "start": 0, "end": 17}
    watched.learn("Lives in Bergen", slot="home", supersedes_id=old["id"], sources=[span])
    gone = watched.learn("Has a cat called Quill")
    watched.agent.delete(f"memories/{gone['id']}/")
    watched.ask("Where is the hub?")
    watched.say("A long story. " + "word " * 120)
    expect(page.get_by_text("A long story").first).to_be_visible()
    expect(page.locator(".kind", has_text="recalled")).to_be_visible()
    _look(page, f"live-{scheme}-{name}")
    faults += _axe(page)
    page.locator(".row", has_text="superseded").first.click()
    _look(page, f"detail-{scheme}-{name}")
    faults += _axe(page)
    page.locator("#help-open").click()
    faults += _axe(page)
    assert faults == []
    overflow = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert overflow <= 0
    assert watched.faults == []


def _axe(page: Page) -> list[str]:
    """Return the faults axe finds, WCAG 2.2 A and AA and good practice."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run()")
    return [
        f"{fault['id']}: {json.dumps([node['html'] for node in fault['nodes']])}" for fault in found["violations"]
    ]


def _look(page: Page, name: str) -> None:
    """Keep a picture where SCREENSHOTS names a folder."""
    folder = os.environ.get("SCREENSHOTS")
    if folder:
        page.screenshot(path=Path(folder) / f"{name}.png")
