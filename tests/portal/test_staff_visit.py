"""A partner's portal, read by one of our staff: seen whole, changed never, marked, written down, over by itself."""

from datetime import timedelta

import pytest
from django.db import InternalError, transaction

from apps.accounts.models import Account, AccountAuditEntry, Membership, StaffLook
from apps.keys.models import ApiKey
from apps.portal.home import HomeView
from apps.webhooks.models import Endpoint
from tests.factories.accounts import AccountFactory, MembershipFactory
from tests.portal.pages import EVERYONE, PAGES
from tests.portal.sample_data import add_sample_data
from tests.support.back_office import Desk, faults_of, told

pytestmark = pytest.mark.django_db
RIGHTS = ("accounts.view_account", "accounts.read_partner_portals")
MARK = "Read-only support access."
REASON = "Ticket 4711: where is the refund?"


@pytest.fixture
def owner() -> Membership:
    found: Membership = MembershipFactory(account__name="Aurora Travel", user__email="ada@aurora.example")
    return found


@pytest.fixture
def names(owner: Membership) -> dict[str, str]:
    return add_sample_data(owner.account, owner.user)


def begin(desk: Desk, account: Account, reason: str = REASON) -> str:
    """Where the form leads."""
    answer = desk.post(f"/admin/read-portal/{account.pk}/", {"reason": reason})
    assert answer.status_code == 302, answer.content.decode()
    return str(answer["Location"])


@pytest.fixture
def desk(names: dict[str, str], owner: Membership) -> Desk:
    """Of a colleague who reads the portal."""
    found = Desk(*RIGHTS)
    assert begin(found, owner.account) == "/portal/test/"
    return found


def looks(desk: Desk) -> list[tuple[str, str]]:
    return [(each.look, each.what) for each in StaffLook.objects.filter(person=desk.user).order_by("id")]


def test_every_page_of_a_viewer_is_seen_and_marked(desk: Desk, names: dict[str, str]) -> None:
    pages = [page.path.format(**names) for page in PAGES if page.may == EVERYONE]
    assert len(pages) > 30
    answers = {path: desk.get(path) for path in pages}
    assert {path: answer.status_code for path, answer in answers.items()} == dict.fromkeys(pages, 200)
    unmarked = [
        path
        for path, answer in answers.items()
        if MARK not in answer.content.decode() or "portal of Aurora Travel" not in answer.content.decode()
    ]
    assert unmarked == []


@pytest.mark.slow
def test_every_post_is_refused_in_words(desk: Desk, names: dict[str, str], owner: Membership) -> None:
    before = rows_of_everything(owner.account)
    posting = {page.path.format(**names) for page in PAGES} | {"/portal/switch/", "/portal/switch/sandbox/"}
    for path in sorted(posting):
        for method in ("post", "put", "patch", "delete", "options"):
            answer = getattr(desk, method)(path, {"name": "Mine"} if method == "post" else "")
            assert (answer.status_code, method, path) == (403, method, path)
    page = answer.content.decode()
    assert "Nothing can be changed here" in page
    assert MARK in page
    assert rows_of_everything(owner.account) == before
    assert ("refused", "/portal/switch/") in looks(desk)


def rows_of_everything(account: Account) -> list[object]:
    keys = list(ApiKey.objects.order_by("pk").values())
    members = list(account.memberships.order_by("pk").values())
    endpoints = list(Endpoint.objects.order_by("pk").values())
    trail = AccountAuditEntry.objects.filter(account=account).count()
    return [keys, members, endpoints, trail, Account.objects.filter(pk=account.pk).values().get()]


def test_what_reads_cannot_write_whatever_its_view_does(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def spoilt(self: HomeView, request: object) -> None:
        ApiKey.objects.update(name="Mine")

    monkeypatch.setattr(HomeView, "get", spoilt)
    with pytest.raises(InternalError, match="read-only transaction"), transaction.atomic():
        desk.get("/portal/test/")
    assert not ApiKey.objects.filter(name="Mine").exists()


def test_it_is_written_down_for_us_and_for_the_partner(desk: Desk, owner: Membership) -> None:
    for path in ("/portal/test/", "/portal/test/", "/portal/test/bookings/?q=ada"):
        desk.get(path)
    assert looks(desk) == [("opened", ""), ("read", "/portal/test/"), ("read", "/portal/test/bookings/")]
    opened = StaffLook.objects.get(look="opened")
    assert (opened.account, opened.reason, opened.address) == (owner.account, REASON, "127.0.0.1")
    entry = AccountAuditEntry.objects.get(action="account.read_by_support")
    assert (entry.actor, entry.actor_label, entry.details) == (desk.user, "Support", {"reason": REASON})
    trail = desk.get("/portal/audit/").content.decode()
    assert "viewed this portal in read-only mode" in trail


def test_it_ends_by_itself(desk: Desk, move_clock) -> None:
    move_clock(minutes=29)
    assert desk.get("/portal/test/").status_code == 200
    move_clock(minutes=1)
    for method in (desk.get, desk.post):
        over = method("/portal/test/")
        assert (over.status_code, over["Location"]) == (302, "/admin/")
    assert MARK not in desk.get("/portal/test/", follow=True).content.decode()


def test_it_ends_with_the_right_to_it(desk: Desk) -> None:
    desk.user.user_permissions.clear()
    answer = desk.get("/portal/test/bookings/")
    assert (answer.status_code, answer["Location"]) == (302, "/admin/")


def test_one_leaves_with_a_button(desk: Desk, owner: Membership) -> None:
    assert desk.get("/admin/read-portal/leave/").status_code == 405
    left = desk.post("/admin/read-portal/leave/", follow=True)
    assert told(left) == ["You have left the portal of Aurora Travel."]
    assert looks(desk)[-1] == ("ended", "")
    assert desk.get("/portal/test/")["Location"] == "/admin/"
    assert desk.post("/admin/read-portal/leave/").status_code == 302


def test_a_colleague_who_is_a_member_elsewhere_sees_the_visited_account_alone(
    names: dict[str, str], owner: Membership
) -> None:
    desk = Desk(*RIGHTS)
    own = MembershipFactory(user=desk.user, account__name="Borealis Tours")
    begin(desk, owner.account)
    page = desk.get("/portal/test/keys/").content.decode()
    assert ("Borealis" in page, names["key"] in page) == (False, True)
    desk.post("/admin/read-portal/leave/")
    assert own.account.name in desk.get("/portal/test/keys/").content.decode()


@pytest.mark.parametrize("rights", [("accounts.view_account",), ("accounts.change_account",)])
def test_only_who_has_the_right_begins_one(owner: Membership, rights: tuple[str, ...]) -> None:
    desk, page = Desk(*rights), f"/admin/read-portal/{owner.account.pk}/"
    assert (desk.get(page).status_code, desk.post(page, {"reason": REASON}).status_code) == (403, 403)
    assert (
        "Read their portal"
        not in Desk(*rights).get(f"/admin/accounts/account/{owner.account.pk}/change/").content.decode()
    )
    assert not StaffLook.objects.exists()


def test_a_member_who_is_no_staff_begins_none(client, owner: Membership) -> None:
    client.force_login(owner.user)
    answer = client.post(f"/admin/read-portal/{owner.account.pk}/", {"reason": REASON})
    assert (answer.status_code, StaffLook.objects.count()) == (302, 0)


def test_it_begins_with_a_reason_and_an_account_that_exists(owner: Membership) -> None:
    desk, page = Desk(*RIGHTS), f"/admin/read-portal/{owner.account.pk}/"
    assert faults_of(desk, page) == []
    assert "This field is required." in desk.post(page, {"reason": " "}).content.decode()
    row = AccountFactory(sandbox_of=owner.account)
    unknown = ["acc_unknown", row.pk, "x" * 300]
    assert [desk.post(f"/admin/read-portal/{pk}/", {"reason": REASON}).status_code for pk in unknown] == [
        404
    ] * 3
    assert not StaffLook.objects.exists()
    assert (
        "Read their portal"
        in desk.get(f"/admin/accounts/account/{owner.account.pk}/change/").content.decode()
    )


def test_an_approved_account_opens_in_live(owner: Membership) -> None:
    owner.account.live_approved_until = owner.account.created_at + timedelta(days=1)
    owner.account.save()
    assert begin(Desk(*RIGHTS), owner.account) == "/portal/live/"
