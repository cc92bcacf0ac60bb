"""Sealing with AES-GCM: texts under a data key, and data keys under FIELD_ENCRYPTION_KEYS.

What is sealed is bound to a `context`, the id of the row that it belongs to: it opens nowhere else. A data key is wrapped under
the first of FIELD_ENCRYPTION_KEYS, and says which one that was by four bytes of its digest. So it is known without trying whether
a key may be taken out of the setting.
"""

import hashlib
import os
from base64 import b64decode, b64encode, urlsafe_b64decode
from functools import cache

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings

KEY_BYTES = 32
NONCE_BYTES = 12
ID_BYTES = 4


class Unopenable(Exception):
    """The key that it was sealed under is not there any more, or it was sealed for something else."""


def new_data_key() -> bytes:
    return os.urandom(KEY_BYTES)


def wrapped(data_key: bytes, context: str) -> bytes:
    """`data_key` under the first of FIELD_ENCRYPTION_KEYS."""
    key_id, cipher = _first(tuple(settings.FIELD_ENCRYPTION_KEYS))
    return key_id + _encrypted(cipher, data_key, context)


def unwrapped(stored: bytes, context: str) -> bytes:
    """What `wrapped` was given, under any of FIELD_ENCRYPTION_KEYS. Raises Unopenable under none."""
    cipher = _all(tuple(settings.FIELD_ENCRYPTION_KEYS)).get(stored[:ID_BYTES])
    if cipher is None:
        raise Unopenable("No key of FIELD_ENCRYPTION_KEYS has wrapped it.")
    return _decrypted(cipher, stored[ID_BYTES:], context)


def current_key_id() -> bytes:
    """With what every data key begins that is wrapped under the first of FIELD_ENCRYPTION_KEYS."""
    return _first(tuple(settings.FIELD_ENCRYPTION_KEYS))[0]


def sealed(data_key: AESGCM, content: bytes, context: str) -> str:
    """`content` under a data key, as text."""
    return b64encode(_encrypted(data_key, content, context)).decode()


def opened(data_key: AESGCM, text: str, context: str) -> bytes:
    """What `sealed` was given. Raises Unopenable."""
    return _decrypted(data_key, b64decode(text), context)


def _encrypted(cipher: AESGCM, content: bytes, context: str) -> bytes:
    nonce = os.urandom(NONCE_BYTES)
    return nonce + cipher.encrypt(nonce, content, context.encode())


def _decrypted(cipher: AESGCM, stored: bytes, context: str) -> bytes:
    try:
        return cipher.decrypt(stored[:NONCE_BYTES], stored[NONCE_BYTES:], context.encode())
    except (InvalidTag, ValueError) as error:
        raise Unopenable("It was sealed under another key, or for something else.") from error


@cache
def _first(keys: tuple[str, ...]) -> tuple[bytes, AESGCM]:
    return next(iter(_all(keys).items()))


@cache
def _all(keys: tuple[str, ...]) -> dict[bytes, AESGCM]:
    return dict(_cipher(key) for key in keys)


def _cipher(key: str) -> tuple[bytes, AESGCM]:
    """A key of its own, derived from the Fernet key: no key serves two ciphers."""
    raw = urlsafe_b64decode(key)
    derived = hashlib.blake2b(raw, digest_size=KEY_BYTES, person=b"data keys").digest()
    return hashlib.blake2b(derived, digest_size=ID_BYTES, person=b"id").digest(), AESGCM(derived)
