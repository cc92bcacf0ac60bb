"""Every page of the back office, asked for what it does not offer: never a 500, and nothing told by a lookup."""

from itertools import cycle, islice
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth.models import Permission
from django.urls import reverse

from apps.accounts.models import Account
from apps.common.back_office import BackOffice
from tests.factories.accounts import MembershipFactory
from tests.portal.sample_data import add_sample_data
from tests.support.back_office import Desk

pytestmark = pytest.mark.django_db

EVERY_PAGE = dict(admin.site._registry)
JUNK = ["(", "a\x00b", "9" * 30, "x" * 300, "\ud7ff\U0010ffff", "a\nb"]
OF_ANY_LIST = """
    o=junk o=99 o=--1 p=0 p=-1 p=99999 p=junk all=junk e=1 _popup=junk _to_field=password _facets=junk
    _changelist_filters=junk q=a%00b nosuch=1 nosuch__a__b=1 __=1 pk__in=1,2 id__regex=( id__gt=0
    q=a&q=b p=1&p=1 o=1&o=1 _popup=1&_popup=1
"""
LONG = [
    f"o={'1.2.3.' * 40}",
    f"p={'9' * 30}",
    f"_to_field={'x' * 300}",
    f"q={'x' * 10_000}",
    f"q={'a+' * 20}",
]
SITE = [
    "autocomplete/?app_label=bookings&model_name=booking&field_name=account&term=a",
    "r/1/1/",
    "r/junk/%00/",
    "doc/",
    "nosuch/",
    "accounts/%00/",
    "admin/logentry/",
    "sessions/session/",
    "mfa/authenticator/1/change/?junk=1",
    "keys/keysecret/",
    "gateway/idempotencyrecord/",
    "hotels/hotelrecord/",
]


@pytest.fixture
def sample_data() -> None:
    """Some rows of most models."""
    owner = MembershipFactory(account__name="Aurora Travel")
    add_sample_data(owner.account, owner.user)


def reader() -> Desk:
    """May look at everything, and do nothing."""
    desk = Desk(everything=False)
    desk.user.user_permissions.set(Permission.objects.filter(codename__startswith="view_"))
    return desk


PEOPLE = {"superuser": Desk, "reader": reader}


@pytest.fixture(params=PEOPLE)
def desk(request: pytest.FixtureRequest, sample_data: None) -> Desk:
    found = PEOPLE[request.param]()
    found.raise_request_exception = False
    return found


def listing(model: Any) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")


def statuses(desk: Desk, addresses: list[str]) -> dict[str, int]:
    return {address: desk.get(address).status_code for address in addresses}


def others(found: dict[str, int], *expected: int) -> dict[str, int]:
    return {address: status for address, status in found.items() if status not in expected}


def test_every_model_has_the_base_that_allows_no_other_lookup() -> None:
    assert [model.__name__ for model, pages in EVERY_PAGE.items() if not isinstance(pages, BackOffice)] == []


@pytest.mark.slow
def test_no_list_fails_for_what_it_does_not_offer(desk: Desk) -> None:
    addresses = [
        f"{listing(model)}?{query}" for model in EVERY_PAGE for query in [*OF_ANY_LIST.split(), *LONG]
    ]
    half = addresses[:: 2 if desk.user.is_superuser else 5]
    assert others(statuses(desk, half), 200, 302, 400) == {}


@pytest.mark.slow
def test_no_action_fails_for_rows_that_cannot_be(desk: Desk) -> None:
    wrong, junk = {}, cycle(JUNK)
    for model, pages in EVERY_PAGE.items():
        for action in [*(pages.actions or ["delete_selected"]), "junk"]:
            for chosen in islice(junk, 2):
                answer = desk.post(listing(model), {"action": action, "_selected_action": chosen})
                if answer.status_code not in (200, 302, 400, 403):
                    wrong[model.__name__, action, chosen] = answer.status_code
    assert wrong == {}


@pytest.mark.slow
def test_no_form_of_a_row_fails(sample_data: None) -> None:
    """Each field in turn, where there is a form at all."""
    desk, posted, wrong = Desk(), 0, {}
    desk.raise_request_exception = False
    for model in EVERY_PAGE:
        rows = [f"{row.pk}/change" for row in model._default_manager.all()[:1]]
        for page in [f"{listing(model)}{row}/" for row in ["add", *rows]]:
            form = (desk.get(page).context or {}).get("adminform")
            for number, name in enumerate(form.form.fields if form else []):
                junk = JUNK[number % len(JUNK)]
                answer = desk.post(page, {name: junk})
                posted += 1
                if answer.status_code not in (200, 302, 400, 403):
                    wrong[page, name, junk] = answer.status_code
    assert wrong == {}
    assert posted > 25


@pytest.mark.parametrize("total", ["junk", "-1", "100000", "9" * 30])
def test_rows_within_a_form_are_bounded(sample_data: None, total: str) -> None:
    desk, account = Desk(), Account.objects.filter(sandbox_of=None)[:1].get()
    form = {
        "name": account.name,
        "markup_bp": "0",
        "memberships-TOTAL_FORMS": total,
        "memberships-INITIAL_FORMS": "0",
    }
    answer = desk.post(f"{listing(Account)}{account.pk}/change/", form)
    assert answer.status_code in (200, 302)
    assert len(answer.content) < 200_000


def test_what_is_not_served_is_not_there(desk: Desk) -> None:
    assert others(statuses(desk, [f"/admin/{path}" for path in SITE]), 302, 400, 404) == {}


@pytest.mark.slow
def test_nothing_that_staff_see_is_kept_by_a_browser_or_a_proxy(desk: Desk) -> None:
    pages = ["/admin/", "/admin/keys/", *map(listing, EVERY_PAGE), f"{listing(Account)}?junk=1"]
    kept = {page: desk.get(page).get("Cache-Control", "") for page in pages}
    assert {page: said for page, said in kept.items() if "no-store" not in said} == {}


def test_no_json_and_no_secret_is_asked_for_by_a_question(sample_data: None) -> None:
    """What no page shows cannot be read by narrowing a list until it is empty."""
    desk = reader()
    questions = [
        "/admin/bookings/booking/?details__icontains=Lovelace",
        "/admin/bookings/booking/?details__passengers__0__familyName=Lovelace",
        "/admin/bookings/operation/?request__icontains=Lovelace",
        "/admin/bookings/operation/?booking__details__icontains=Lovelace",
        "/admin/request_log/loggedcall/?request_body__icontains=Lovelace",
        "/admin/keys/apikey/?secrets__digest__startswith=a",
        "/admin/webhooks/endpoint/?secret_encrypted__startswith=a",
        "/admin/webhooks/delivery/?endpoint__secret_encrypted__gt=a",
        "/admin/accounts/user/?password__startswith=pbkdf2",
        "/admin/accounts/account/?memberships__user__password__startswith=pbkdf2",
        "/admin/accounts/invitation/?token_hash__startswith=a",
        "/admin/mfa/authenticator/?data__secret__startswith=a",
        "/admin/mfa/authenticator/?user__password__startswith=pbkdf2",
    ]
    assert others(statuses(desk, questions), 400) == {}
