"""Moves the secrets of authenticators to the first of FIELD_ENCRYPTION_KEYS."""

from typing import Any

from apps.common.encryption import decrypt, encrypt, is_current

ENCRYPTED = ("secret", "seed")
"""The entries of an authenticator's data that the library has encrypted with our adapter."""


def renew(authenticator: Any) -> bool:
    data = authenticator.data
    older = {
        name: encrypt(decrypt(data[name]))
        for name in ENCRYPTED
        if data.get(name) and not is_current(data[name])
    }
    authenticator.data = {**data, **older}
    return bool(older)
