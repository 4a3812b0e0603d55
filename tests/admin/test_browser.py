"""The admin in a real browser, on a real stack: what scripts and styles do, no test client can tell."""

import os
import shutil
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
