"""Sealing under data keys, data keys under FIELD_ENCRYPTION_KEYS, and moving all of it to the first of them."""

from io import StringIO

import pytest
from cryptography.fernet import Fernet
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.core.management import CommandError, call_command

from apps.bookings.models import TravellerKey
from apps.common import encryption
from apps.common.encryption import Count, Unopenable, decrypt, encrypt, is_current, reencrypt
from apps.webhooks.models import Endpoint
from tests.factories.accounts import AccountFactory
from tests.factories.webhooks import EndpointFactory
from tests.portal.person import member_of
from tests.support.interrupting import interrupt

pytestmark = pytest.mark.django_db


def test_what_is_sealed_opens_under_its_key_and_for_its_row_alone() -> None:
    key = AESGCM(encryption.new_data_key())
    text = encryption.sealed(key, b"Ada", "ford_1")
    assert "Ada" not in text
    assert encryption.opened(key, text, "ford_1") == b"Ada"
    for other, context in ((AESGCM(encryption.new_data_key()), "ford_1"), (key, "ford_2")):
        with pytest.raises(Unopenable):
            encryption.opened(other, text, context)


def test_the_same_content_never_looks_the_same() -> None:
    key = AESGCM(encryption.new_data_key())
    assert encryption.sealed(key, b"Ada", "ford_1") != encryption.sealed(key, b"Ada", "ford_1")


def test_a_data_key_outlives_a_rotation_while_the_old_key_is_listed(settings) -> None:
    old, new = (Fernet.generate_key().decode() for _ in range(2))
    key = encryption.new_data_key()
    settings.FIELD_ENCRYPTION_KEYS = [old]
    stored = encryption.wrapped(key, "ford_1")
    settings.FIELD_ENCRYPTION_KEYS = [new, old]
    assert encryption.unwrapped(stored, "ford_1") == key
    assert not stored.startswith(encryption.current_key_id())
    settings.FIELD_ENCRYPTION_KEYS = [new]
    with pytest.raises(Unopenable):
        encryption.unwrapped(stored, "ford_1")


def test_a_wrapped_key_belongs_to_its_row() -> None:
    stored = encryption.wrapped(encryption.new_data_key(), "ford_1")
    with pytest.raises(Unopenable):
        encryption.unwrapped(stored, "ford_2")


@pytest.fixture
def rotated(settings) -> tuple[str, str]:
    """Things under an old key, after a new one was put in front: the old one and the new one."""
    old, new = (Fernet.generate_key().decode() for _ in range(2))
    settings.FIELD_ENCRYPTION_KEYS = [old]
    EndpointFactory(secret_encrypted=encrypt("whsec_one"))
    for number in range(3):
        TravellerKey.objects.create(
            pk=f"ford_{number}", wrapped=encryption.wrapped(b"k" * 32, f"ford_{number}")
        )
    member_of(AccountFactory(), "owner")
    settings.FIELD_ENCRYPTION_KEYS = [new, old]
    return old, new


def command(*options: str) -> str:
    out = StringIO()
    call_command("reencrypt", *options, stdout=out)
    return out.getvalue()


def test_after_it_the_old_key_can_go(rotated: tuple[str, str], settings) -> None:
    said = command()
    assert "bookings.TravellerKey: 3 re-encrypted" in said
    assert "webhooks.Endpoint: 1 re-encrypted" in said
    assert "mfa.Authenticator: 0 re-encrypted" not in said
    settings.FIELD_ENCRYPTION_KEYS = [rotated[1]]
    assert decrypt(Endpoint.objects.get().secret_encrypted) == "whsec_one"
    keys = list(TravellerKey.objects.all())
    assert [encryption.unwrapped(bytes(key.wrapped), key.pk) for key in keys] == [b"k" * 32] * 3
    assert all(count.older == count.unreadable == 0 for count in reencrypt(write=False).values())


def test_interrupted_it_goes_on_where_it_was(rotated: tuple[str, str], settings) -> None:
    before = sum(count.older for count in reencrypt(write=False).values())
    assert interrupt("reencrypt") == "Interrupted. Run it again: what is re-encrypted already is only read.\n"
    left = sum(count.older for count in reencrypt(write=False).values())
    assert 0 < left < before
    assert sum(count.older for count in reencrypt().values()) == left
    settings.FIELD_ENCRYPTION_KEYS = [rotated[1]]
    assert all(count.older == count.unreadable == 0 for count in reencrypt(write=False).values())


def test_check_says_what_is_left_and_writes_nothing(rotated: tuple[str, str]) -> None:
    with pytest.raises(CommandError, match="do not remove that key"):
        command("--check")
    assert not is_current(Endpoint.objects.get().secret_encrypted)
    command()
    assert "3 under another key" not in command("--check")


def test_a_missing_key_is_told_and_destroys_nothing(rotated: tuple[str, str], settings) -> None:
    before = bytes(TravellerKey.objects.get(pk="ford_1").wrapped)
    settings.FIELD_ENCRYPTION_KEYS = [rotated[1]]
    with pytest.raises(CommandError, match="put the missing key back"):
        command()
    assert bytes(TravellerKey.objects.get(pk="ford_1").wrapped) == before
    assert reencrypt(write=False)["bookings.TravellerKey"] == Count(older=0, unreadable=3)
