import pytest
from django.contrib import admin
from django.test import RequestFactory

from apps.accounts.models import User
from apps.webhooks.models import Attempt, Delivery, Endpoint, Event
from tests.factories.webhooks import EndpointFactory

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("model", [Attempt, Delivery, Endpoint, Event])
def test_nothing_is_written_in_the_admin(model: type, rf: RequestFactory) -> None:
    request = rf.get("/")
    request.user = User(is_staff=True, is_superuser=True, is_active=True)
    page = admin.site._registry[model]
    assert page.has_view_permission(request)
    assert not page.has_add_permission(request)
    assert not page.has_change_permission(request)
    assert not page.has_delete_permission(request)


def test_secrets_are_not_shown(rf: RequestFactory) -> None:
    request = rf.get("/")
    request.user = User(is_staff=True, is_superuser=True, is_active=True)
    fields = admin.site._registry[Endpoint].get_fields(request, EndpointFactory())
    assert not [name for name in fields if "secret_encrypted" in str(name)]
