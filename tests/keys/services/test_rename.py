import pytest

from apps.gateway.errors import InvalidRequest
from apps.keys.models import KeyAuditEntry
from apps.keys.services.rename import rename_key
from tests.factories.keys import issued_key

pytestmark = pytest.mark.django_db


def test_a_key_takes_its_new_name_and_the_trail_keeps_both():
    key, _ = issued_key(name="Server")

    renamed = rename_key(key=key, name=" Büro Köln ")

    key.refresh_from_db()
    assert key.name == renamed.name == "Büro Köln"
    assert KeyAuditEntry.objects.get(action="renamed").details == {"before": "Server", "after": "Büro Köln"}


@pytest.mark.parametrize("name", ["", " ", "n" * 256, "two\nlines"])
def test_an_unusable_name_is_refused(name):
    key, _ = issued_key(name="Server")

    with pytest.raises(InvalidRequest):
        rename_key(key=key, name=name)
