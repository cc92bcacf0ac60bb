"""Every page in a browser: axe finds nothing grave, nothing is wider than the window, the policy refuses nothing.

The suite looks at every eighth page, and `make pages` at all of them.
"""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from django.contrib import admin
from django.contrib.admin.utils import quote
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.urls import reverse
from playwright.sync_api import Browser

from apps.accounts.invitations import token_of
from apps.accounts.models import Invitation, User
from tests.browser.visitor import NARROW, TABLET, WIDE, Visitor
from tests.portal.pages import PAGES
from tests.portal.person import Person
from tests.portal.sample_data import add_sample_data

pytestmark = pytest.mark.django_db(transaction=True)

Look = Callable[[list[str]], dict[str, list[str]]]

ENTRANCES = [
    "/account/login/",
    "/account/inactive/",
    "/account/password/reset/",
    "/account/password/reset/done/",
    "/account/password/reset/key/x-over/",
    "/account/password/reset/key/done/",
]
OF_A_MEMBER = [
    "/account/logout/",
    "/account/security/",
    "/account/passkeys/add/",
    "/account/two-factor/remove/",
    "/account/recovery-codes/",
    "/account/recovery-codes/new/",
    "/account/password/change/",
    "/account/reauthenticate/",
    "/account/two-factor/reauthenticate/",
]
DOCUMENTATION = [
    "/docs/",
    "/docs/guides/flights",
    "/docs/guides/testing",
    "/docs/guides/webhooks",
    "/docs/guides/go-live",
    "/docs/guides/get-started",
    "/docs/guides/concepts",
    "/docs/guides/authentication",
    "/docs/guides/errors-and-retries",
    "/docs/guides/money",
    "/docs/guides/trips-and-documents",
    "/docs/guides/assistants",
    "/docs/reference",
    "/docs/reference/hotels/create-hotel-booking",
    "/docs/reference/webhooks/get-webhook-delivery",
    "/docs/search?q=price",
    "/docs/errors/price_changed",
    "/docs/changelog",
    "/docs/clients",
]
"""One page or two of each kind."""
ERRORS = {"/no/such/page": 404, "/account/invitation/over/": 410}
UNCALLED_ERRORS = ["403.html", "403_form.html", "405.html", "429.html", "500.html", "503.html"]
"""Rendered from the template, because their causes are hard to bring about."""
A_FEW = 8
SAMPLE = ["/portal/test/components/", "/portal/live/components/", "/portal/test/", "/docs/guides/webhooks"]
"""Pages that have every colour."""


def examine(visitor: Visitor, path: str, expected: int = 200) -> list[str]:
    """What is wrong with the page, in words."""
    before = len(visitor.complaints)
    status = visitor.goto(path)
    wrong = [f"answers {status}"] if status != expected else []
    said = [each for each in visitor.complaints[before:] if f"status of {expected}" not in each]
    return wrong + visitor.unfit() + said


@pytest.fixture
def wrong_with(visitor: Visitor, every_page: bool) -> Look:
    """Examines a list of pages, and returns what is wrong by path."""

    def look(paths: list[str]) -> dict[str, list[str]]:
        chosen = paths if every_page else paths[::A_FEW]
        return {path: wrong for path in chosen if (wrong := examine(visitor, path))}

    return look


def test_pages_for_everybody(visitor: Visitor, owner: Person, wrong_with: Look):
    assert wrong_with([*ENTRANCES, reset_link(owner.user)]) == {}
    assert {path: wrong for path, code in ERRORS.items() if (wrong := examine(visitor, path, code))} == {}
    visitor.page.route("**/told/*", tell)
    assert wrong_with([f"/told/{template}" for template in UNCALLED_ERRORS]) == {}


def reset_link(user: User) -> str:
    key = f"{user_pk_to_url_str(user)}-{default_token_generator.make_token(user)}"
    return f"/account/password/reset/key/{key}/"


def tell(route: Any) -> None:
    """Answer with the template that the end of the address names."""
    body = render_to_string(route.request.url.rpartition("/")[2])
    route.fulfill(body=body, content_type="text/html")


@pytest.mark.slow
def test_every_page_of_the_portal(visitor: Visitor, owner: Person, wrong_with: Look, every_page: bool):
    names = add_sample_data(owner.account, owner.user)
    invitation = f"/account/invitation/{token_of(Invitation.objects.get(pk=names['invitation']))}/"
    visitor.carry_session_of(owner)
    pages = [page.path.format(**names) for page in PAGES]
    assert wrong_with([*pages, *OF_A_MEMBER, invitation]) == {}
    assert examine(visitor, "/portal/test/?since=%00", 400) == []
    for scheme in ("light", "dark") if every_page else ("dark",):
        assert faults_beside_the_navigation(visitor, scheme) == {}


def faults_beside_the_navigation(visitor: Visitor, scheme: str) -> dict[str, list[str]]:
    """What axe finds in a wide window, which has the navigation at the side."""
    visitor.page.emulate_media(color_scheme=scheme)
    visitor.overflow(WIDE)
    return {path: faults for path in SAMPLE if visitor.goto(path) and (faults := visitor.faults())}


@pytest.mark.slow
def test_the_documentation_fits_every_width_in_both_schemes(browser: Browser, live_server, every_page: bool):
    """Wide, a tablet's and a telephone's; with all that is folded unfolded."""
    for scheme in ("light", "dark"):
        with Visitor.arrive(browser, live_server.url, scheme=scheme) as visitor:
            for path in DOCUMENTATION if every_page else DOCUMENTATION[1::A_FEW]:
                assert visitor.goto(path) == 200
                visitor.page.evaluate(
                    "for (const each of document.querySelectorAll('main details')) each.open = true"
                )
                over = {width: visitor.overflow(width) for width in (WIDE, TABLET, NARROW)}
                assert {width: pixels for width, pixels in over.items() if pixels > 0} == {}, path
                assert visitor.faults() == [], (path, scheme)
            assert visitor.complaints == []


@pytest.mark.slow
def test_every_page_of_the_back_office(visitor: Visitor, owner: Person, wrong_with: Look):
    add_sample_data(owner.account, owner.user)
    User.objects.filter(pk=owner.user.pk).update(is_staff=True, is_superuser=True)
    visitor.carry_session_of(owner)
    invite_owner = f"/admin/accounts/account/{owner.account.pk}/invite-owner/"
    assert wrong_with(["/admin/", invite_owner, "/admin/find/?q=aurora", *back_office_pages()]) == {}
    assert examine(visitor, "/admin/accounts/account/?nothing=1", 400) == []


def back_office_pages() -> Iterator[str]:
    """For each of our models that staff see: the list, the form for a new object, and one object."""
    request = RequestFactory().get("/admin/")
    request.user = User(is_active=True, is_staff=True, is_superuser=True)
    for model, pages in admin.site._registry.items():
        if not model.__module__.startswith("apps."):
            continue
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        yield reverse(f"{name}_changelist")
        if pages.has_add_permission(request):
            yield reverse(f"{name}_add")
        if (one := pages.get_queryset(request).first()) is not None:
            yield reverse(f"{name}_change", args=[quote(one.pk)])


def test_pages_read_without_scripts(browser, live_server, owner: Person):
    context = browser.new_context(base_url=live_server.url, java_script_enabled=False)
    visitor = Visitor(context.new_page(), context, live_server.url)
    visitor.carry_session_of(owner)
    visitor.goto("/portal/test/components/")
    assert visitor.page.get_by_role("heading", name="Components").is_visible()
    assert visitor.page.get_by_role("button", name="Copy").count() == 0, "What needs a script is not offered"
    context.close()
