"""Encryption at rest for the few texts that must be read back (signing secrets, stored answers that hold one)."""

from functools import cache

from cryptography.fernet import Fernet, MultiFernet
from django.conf import settings


@cache
def _fernet(keys: tuple[str, ...]) -> MultiFernet:
    return MultiFernet([Fernet(key) for key in keys])


def encrypt(text: str) -> str:
    """`text` under the first of FIELD_ENCRYPTION_KEYS."""
    return _fernet(tuple(settings.FIELD_ENCRYPTION_KEYS)).encrypt(text.encode()).decode()


def decrypt(token: str) -> str:
    """What `encrypt` was given, under any of FIELD_ENCRYPTION_KEYS; raises InvalidToken under none."""
    return _fernet(tuple(settings.FIELD_ENCRYPTION_KEYS)).decrypt(token.encode()).decode()
