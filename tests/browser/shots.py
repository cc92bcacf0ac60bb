"""Screenshots of the pages, at both widths, in light and dark: `python -m tests.browser.shots home keys --out /tmp/shots`.

Pages are those of tests/portal/pages.py, all of them unless some are named; a name that begins with a slash is a path.
With --staff the visitor sees the back office too. The account has new sample data each time, in a database of the tests' own.
"""

import argparse
import os
import re
import tempfile
from pathlib import Path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings_test")
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pages", nargs="*")
    parser.add_argument("--out", type=Path, default=None)
    parser.add_argument("--schemes", default="light,dark")
    parser.add_argument("--widths", default="1280,390")
    parser.add_argument("--staff", action="store_true")
    asked = parser.parse_args()
    out = asked.out or Path(tempfile.mkdtemp(prefix="shots-"))
    out.mkdir(parents=True, exist_ok=True)
    prepare()

    from playwright.sync_api import sync_playwright
    from pytest_django.live_server_helper import LiveServer

    from apps.accounts.models import Role, User
    from tests.browser.chromium import launch
    from tests.browser.visitor import Visitor
    from tests.factories.accounts import AccountFactory
    from tests.portal.pages import PAGES
    from tests.portal.person import member_of
    from tests.portal.sample_data import add_sample_data

    owner = member_of(AccountFactory(name="Aurora Travel"), Role.OWNER)
    names = {**add_sample_data(owner.account, owner.user), "account": owner.account.pk}
    if asked.staff:
        User.objects.filter(pk=owner.user.pk).update(is_staff=True, is_superuser=True)
    known = {page.name: page.path for page in PAGES}
    unknown = [name for name in asked.pages if name not in known and not name.startswith("/")]
    if unknown:
        parser.error(f"no such page: {', '.join(unknown)}; there are {', '.join(known)}")
    server = LiveServer("localhost")
    try:
        with sync_playwright() as playwright, launch(playwright) as browser:
            for scheme in asked.schemes.split(","):
                with Visitor.arrive(browser, server.url, scheme=scheme) as visitor:
                    visitor.carry_session_of(owner)
                    for name in asked.pages or known:
                        path = known.get(name, name).format(**names)
                        status = visitor.goto(path)
                        for width in map(int, asked.widths.split(",")):
                            file = out / f"{file_name(name)}-{width}-{scheme}.png"
                            over = visitor.overflow(width)
                            visitor.shoot(file, width)
                            print(
                                f"{status} {path} {file}" + (f"  OVERFLOWS by {over} px" if over > 0 else "")
                            )
                    for complaint in visitor.complaints:
                        print("console:", complaint)
    finally:
        server.stop()


def file_name(page: str) -> str:
    """The name for the file, from a page's name or a path with its query."""
    return re.sub(r"[^\w-]+", "_", page.strip("/")) or "root"


def prepare() -> None:
    """Start the tests' servers. The database is kept, so that only the first run waits for migrations."""
    from config.embedded import prepare_test_environment

    prepare_test_environment()
    os.environ["TEST_DATABASE_NAME"] = os.environ.get("TEST_DATABASE_NAME", "t") + "_shots"
    import django
    from django.test import TransactionTestCase
    from django.test.utils import setup_databases, setup_test_environment

    django.setup()
    setup_test_environment()
    setup_databases(verbosity=0, interactive=False, keepdb=True)
    from tests.support.emptying import empty_quickly, keep_plan_of_look

    keep_plan_of_look()
    empty_quickly(TransactionTestCase())


if __name__ == "__main__":
    main()
