"""The admin in a real browser, on a real stack: what scripts and styles do, no test client can tell."""

import os
import shutil
import time
from collections.abc import Iterator

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.conftest import LiveStack

pytestmark = pytest.mark.browser

NAMES = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """Start the Chromium of this machine."""
    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    assert path, "no Chromium found: install one (apt-get install chromium), or name it by CHROMIUM=/path"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def password(live_stack: LiveStack) -> str:
    """Return the password of a superuser who owns both tenants."""
    return live_stack.stack.manage("create_admin", "clara", "--tenant", "acme", "--tenant", "globex").split()[-1]


@pytest.fixture(
    params=[(1280, "light"), (1280, "dark"), (390, "light"), (390, "dark")], ids=lambda p: f"{p[0]}-{p[1]}"
)
def page(request: pytest.FixtureRequest, chromium: Browser) -> Iterator[Page]:
    """Give a page that is wide or narrow, light or dark; any error of a script fails the test."""
    width, scheme = request.param
    context = chromium.new_context(viewport={"width": width, "height": 860}, color_scheme=scheme)
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    errors: list[str] = []
    shown = context.new_page()
    shown.on("pageerror", lambda error: errors.append(str(error)))
    yield shown
    context.close()
    assert errors == []


def enter(page: Page, live: LiveStack, password: str, tenant: str) -> None:
    """Sign in and choose a tenant."""
    page.goto(f"{live.url}/admin/")
    page.get_by_label("Username").fill("clara")
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Log in").click()
    page.get_by_role("button", name=tenant).click()
    expect(page.get_by_role("heading", name="Overview")).to_be_visible()
    expect(page.get_by_title("Choose another tenant")).to_contain_text(tenant)


def fits(page: Page) -> bool:
    """Say whether nothing sticks out of the window to the right."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))


def test_a_key_is_issued_seen_once_copied_and_used(live_stack: LiveStack, page: Page, password: str) -> None:
    enter(page, live_stack, password, "acme")
    page.goto(f"{live_stack.url}/admin/tenants/apikey/")
    page.get_by_role("link", name="Issue a key").click()
    page.get_by_label("Name").fill("browser agent")
    assert fits(page)
    page.get_by_role("button", name="Issue").click()
    secret = page.get_by_label("The API key", exact=True).input_value()
    assert fits(page)
    page.get_by_role("button", name="Copy").last.click()
    expect(page.get_by_text("Copied.")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == f"MNEME_API_KEY={secret}"
    page.get_by_role("button", name="Done").click()
    expect(page.get_by_label("The API key", exact=True)).to_be_visible()  # not before it is said to be stored
    page.get_by_label("I have stored the API key.").check()
    page.get_by_role("button", name="Done").click()
    expect(page.get_by_role("heading", name="browser agent")).to_be_visible()
    assert secret not in page.content()
    headers = {"Authorization": f"Bearer {secret}"}
    answer = httpx.get(f"{live_stack.url}/api/v1/keys/me/", headers=headers, timeout=20)
    assert answer.json()["tenant"]["slug"] == "acme"


def test_every_page_of_the_menu_opens_and_fits(live_stack: LiveStack, page: Page, password: str) -> None:
    enter(page, live_stack, password, "globex")
    menu = page.locator("#nav-sidebar-inner a[href^='/admin/']")
    links = {link.get_attribute("href") for link in menu.all()}
    assert len(links) >= 9
    for link in sorted(filter(None, links)):
        answer = page.goto(f"{live_stack.url}{link}")
        assert answer is not None
        assert answer.status == 200, link
        assert page.title().strip()
        assert fits(page), link
        if link != "/admin/choose/":
            expect(page.get_by_title("Choose another tenant")).to_contain_text("globex")


def test_the_theme_is_the_systems(live_stack: LiveStack, page: Page) -> None:
    page.goto(f"{live_stack.url}/admin/login/")
    dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    page.wait_for_function("dark => document.documentElement.classList.contains('dark') === dark", arg=dark)
    background = page.evaluate("getComputedStyle(document.querySelector('#page')).backgroundColor")
    assert (background == "rgb(255, 255, 255)") != dark


@pytest.fixture(scope="module")
def likely(live_stack: LiveStack) -> None:
    """Have a user of acme of whom two entities are known that are likely to be one."""
    options = [word for ability in LIKELY_NEEDS for word in ("--ability", ability)]
    key = live_stack.stack.manage("issue_key", "acme", *options).split()[-1]
    headers, user = {"Authorization": f"Bearer {key}"}, {"user_id": "likely"}
    with httpx.Client(base_url=f"{live_stack.url}/api/v1/", headers=headers, timeout=20) as client:
        for name, kind in (("Barclays", "company"), ("Barclays Bank", "organisation")):
            body = {**user, "entity_type": kind, "name": name, "attributes": {"phone": "555 0100"}}
            assert client.post("entities/", json=body).status_code == 201
        turn = {**user, "session_id": "s", "content": "I think I live in Leeds."}
        assert client.post("turns/", json=turn).status_code == 201
        job = client.post("consolidations/", json=user).json()
        deadline = time.monotonic() + 90
        while client.get(f"jobs/{job['id']}/").json()["state"] != "done":
            assert time.monotonic() < deadline
            time.sleep(0.2)


LIKELY_NEEDS = ("turns:write", "memories:read", "memories:write", "consolidate")


@pytest.mark.usefixtures("likely")
def test_two_likely_names_are_shown_to_be_decided_on(live_stack: LiveStack, page: Page, password: str) -> None:
    enter(page, live_stack, password, "acme")
    page.goto(f"{live_stack.url}/admin/consolidation/reviewitem/")
    row = page.get_by_role("link", name="Barclays = Barclays Bank?")
    expect(row).to_be_visible()
    assert fits(page)
    row.click()
    expect(page.get_by_text("Barclays Bank (organisation); phone: 555 0100; 0 memories about it")).to_be_visible()
    assert fits(page)


def test_the_page_that_erases_names_whom_and_what(live_stack: LiveStack, page: Page, password: str) -> None:
    enter(page, live_stack, password, "globex")
    headers = {"Authorization": f"Bearer {live_stack.keys['globex']}"}
    turn = {"user_id": "to go", "session_id": "s", "content": "The otter is called Bramble"}
    assert httpx.post(f"{live_stack.url}/api/v1/turns/", json=turn, headers=headers, timeout=20).status_code == 201
    page.goto(f"{live_stack.url}/admin/tenants/subject/")
    page.get_by_role("link", name="to go").click()
    page.wait_for_url("**/change/")
    erase = page.get_by_role("link", name="Erase", exact=True)
    if not erase.is_visible():  # narrow: in a menu
        page.get_by_text("more_horiz").click()
    erase.click()
    expect(page.get_by_text("All that is kept of “to go” goes")).to_be_visible()
    assert fits(page)
    page.get_by_label("Type the user_id to confirm").fill("to stay")
    page.get_by_role("button", name="Erase for ever").click()
    expect(page.get_by_text("This is not the user_id")).to_be_visible()
    page.get_by_label("Type the user_id to confirm").fill("to go")
    page.get_by_role("button", name="Erase for ever").click()
    expect(page.get_by_text("Nobody sees anything of the person any more")).to_be_visible()
    expect(page.get_by_role("link", name="to go")).to_have_count(0)
