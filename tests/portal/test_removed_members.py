"""A member who is removed while a page of theirs is on its way saves nothing, and is told so."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection, transaction
from django.db.models import Model

from apps.accounts.actors import SUPPORT
from apps.accounts.members import remove_member
from apps.accounts.models import Membership, Role
from apps.portal.base import PortalView
from apps.portal.models import NotificationChoice, SavedView
from apps.portal.saved_views import save_view
from tests.factories.accounts import MembershipFactory
from tests.portal.person import Person
from tests.support.locks import until_somebody_waits

# A foreign key that leads nowhere is noticed by the commit.
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize(
    ("address", "form", "saved"),
    [
        ("/portal/test/views/requests/", {"name": "Errors", "query": "status=errors"}, SavedView),
        (
            "/portal/test/views/requests/",
            {"name": "Errors", "query": "status=errors", "shared": "on"},
            SavedView,
        ),
        ("/portal/test/notifications/", {"kinds": ["keys"]}, NotificationChoice),
    ],
)
def test_what_a_removed_member_saves_is_refused(
    portal: Person, monkeypatch: pytest.MonkeyPatch, address: str, form: dict[str, Any], saved: type[Model]
):
    handle = PortalView.handle

    def removed_first(view: PortalView, *told: Any) -> Any:
        Membership.objects.filter(pk=view.portal.membership.pk).delete()
        return handle(view, *told)

    monkeypatch.setattr(PortalView, "handle", removed_first)
    answer = portal.post(address, form)
    assert answer.status_code == 403
    assert "You are no longer a member of this account." in answer.content.decode()
    assert not saved._default_manager.exists()


def test_whoever_removes_a_member_who_is_saving_something_waits_and_removes_that_too():
    """What is deleted with a member is looked for first: what the member saved after that would refer to nobody."""
    member = MembershipFactory(role=Role.VIEWER)

    def remove() -> None:
        try:
            remove_member(membership=member, actor=SUPPORT)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            save_view(
                membership=member,
                environment="test",
                list_name="requests",
                name="Errors",
                query="status=errors",
                shared=False,
            )
            removed = pool.submit(remove)
            until_somebody_waits()
        removed.result()
    assert not Membership.objects.filter(pk=member.pk).exists()
    assert not SavedView.objects.exists()
