"""A member who is removed while a page of theirs is on its way saves nothing, and is told so."""

from typing import Any

import pytest
from django.db.models import Model

from apps.accounts.models import Membership
from apps.portal.base_view import PortalView
from apps.portal.exports.models import Export
from apps.portal.models import NotificationChoice
from apps.portal.saved_views.models import SavedView
from tests.portal.person import Person

pytestmark = pytest.mark.django_db(
    transaction=True
)  # a foreign key that leads nowhere is noticed by the commit


@pytest.mark.parametrize(
    ("address", "form", "saved"),
    [
        ("/portal/test/views/requests/", {"name": "Errors", "query": "status=errors"}, SavedView),
        (
            "/portal/test/views/requests/",
            {"name": "Errors", "query": "status=errors", "shared": "on"},
            SavedView,
        ),
        ("/portal/test/exports/", {"list": "bookings", "query": ""}, Export),
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
