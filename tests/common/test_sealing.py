"""Sealing under data keys, and data keys under FIELD_ENCRYPTION_KEYS."""

import pytest
from cryptography.fernet import Fernet
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from apps.common import encryption
from apps.common.encryption import Unopenable


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
