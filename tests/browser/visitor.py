"""A visitor with a browser window: signs in, opens pages, and checks them."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.portal.person import PASSWORD, Person, code_now

FULL, WIDE, TABLET, NARROW = 1920, 1280, 768, 390
HEIGHTS = {FULL: 1080, WIDE: 900, TABLET: 1024, NARROW: 844}
GRAVE = {"serious", "critical"}
AXE = Axe()
PATIENCE_MS = 60_000
"""How long a page is waited for, and what it is to show: other tests run beside."""
expect.set_options(timeout=PATIENCE_MS)


@dataclass
class Visitor:
    page: Page
    context: BrowserContext
    url: str
    complaints: list[str] = field(default_factory=list)
    """Errors on the browser's console: refused by the policy, not found, crashed."""

    @classmethod
    @contextmanager
    def arrive(cls, browser: Browser, url: str, *, scheme: str = "light") -> Iterator["Visitor"]:
        context = browser.new_context(
            base_url=url,
            viewport={"width": WIDE, "height": HEIGHTS[WIDE]},
            color_scheme=scheme,
            reduced_motion="reduce",  # axe must not meet a colour on its way to another
        )
        context.set_default_timeout(PATIENCE_MS)
        visitor = cls(context.new_page(), context, url)
        visitor.page.on("console", visitor._listen)
        visitor.page.on("pageerror", lambda error: visitor.complaints.append(str(error)))
        try:
            yield visitor
        finally:
            context.close()

    def _listen(self, message: object) -> None:
        if message.type == "error":  # type: ignore[attr-defined]
            where = urlsplit(message.location["url"]).path  # type: ignore[attr-defined]
            self.complaints.append(f"{where}: {message.text}")  # type: ignore[attr-defined]

    def goto(self, path: str) -> int:
        """Returns the status of the answer."""
        answer = self.page.goto(path)
        assert answer is not None
        return answer.status

    def sign_in(self, person: Person, *, code_offset: int = 0) -> None:
        """Sign in with the forms: address and password, then the app's code."""
        self.goto("/account/login/")
        self.give_password(person.user.email)
        self.give_code(code_now(offset=code_offset))
        self.page.wait_for_url("**/portal/**")

    def give_password(self, email: str) -> None:
        self.page.get_by_label("Email").fill(email)
        self.page.get_by_label("Password").fill(PASSWORD)
        self.page.get_by_role("button", name="Log in", exact=True).click()

    def give_code(self, code: str) -> None:
        self.page.get_by_label("Code").fill(code)
        self.page.get_by_role("button", name="Log in", exact=True).click()

    def set_up_authenticator(self) -> str:
        """Set up the app, as at every first sign-in, and return its secret."""
        self.page.get_by_text("Can’t scan it?").click()
        secret = self.page.locator("#totp-secret").inner_text().replace(" ", "")
        self.page.get_by_label("Authenticator code").fill(code_now(secret))
        self.page.get_by_role("button", name="Turn on").click()
        return secret

    def carry_session_of(self, person: Person | Client) -> None:
        """Sign in without the forms, with the session of the person's test client."""
        client = person if isinstance(person, Client) else person.client
        cookie = client.cookies[settings.SESSION_COOKIE_NAME]
        self.context.add_cookies(
            [{"name": settings.SESSION_COOKIE_NAME, "value": cookie.value, "url": self.url}]
        )

    def faults(self, *rules: str) -> list[str]:
        """What axe finds serious or critical on the page, by all its rules or by `rules`."""
        # No rule that runs needs the styles preloaded, which axe would do into the page, against its policy.
        options: dict[str, object] = {"resultTypes": ["violations"], "preload": False}
        if rules:
            options["runOnly"] = list(rules)
        found = AXE.run(self.page, options=options).response["violations"]
        return [
            f"{fault['id']}: {' '.join(fault['nodes'][0]['target'])}: {fault['help']} {fault['nodes'][0]['html'][:120]}"
            for fault in found
            if fault["impact"] in GRAVE
        ]

    def unfit(self) -> list[str]:
        """What is wrong with the open page, in words: wider than the window, or grave for axe at the narrow width."""
        over = {width: self.overflow(width) for width in (WIDE, NARROW)}
        return [f"{pixels} px over {width}" for width, pixels in over.items() if pixels > 0] + self.faults()

    def overflow(self, width: int) -> int:
        """How many pixels the page is wider than a window of `width`."""
        self.page.set_viewport_size({"width": width, "height": HEIGHTS[width]})
        return int(self.page.evaluate("document.documentElement.scrollWidth")) - width

    def shoot(self, file: Path, width: int) -> None:
        self.page.set_viewport_size({"width": width, "height": HEIGHTS[width]})
        self.page.screenshot(path=file, full_page=True)
