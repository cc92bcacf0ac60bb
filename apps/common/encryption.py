"""Encryption at rest under FIELD_ENCRYPTION_KEYS, for what must be read back.

`encrypt` is for few and short texts (signing secrets, stored answers that hold one). `sealed` is AES-GCM under data keys, which
are wrapped under FIELD_ENCRYPTION_KEYS themselves: what is sealed is bound to a `context`, the id of the row that it belongs to,
and opens nowhere else. A wrapped key begins with four bytes that identify the key that wrapped it, so it is known without trying
whether that one may be taken out of the setting. `keyed_hash` is for what is compared and never read back.

`reencrypt` moves everything to the first of FIELD_ENCRYPTION_KEYS, so that the others can be destroyed. Each app registers its
own part when it is ready. A part goes along a primary key in batches, each a transaction of its own, while everything else runs.
"""

import hashlib
import hmac
import os
from base64 import b64decode, b64encode, urlsafe_b64decode
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings
from django.db import transaction
from django.db.models import Model, Q, QuerySet

from apps.common.progress import SILENT, Progress

KEY_BYTES = 32
NONCE_BYTES = 12
ID_BYTES = 4
HASH_BYTES = 16
BATCH = 500

Renew = Callable[[Any], bool]
"""Moves what one row has to the first key, in memory. Returns False where it is there already. Raises InvalidToken."""


@cache
def _fernet(keys: tuple[str, ...]) -> MultiFernet:
    return MultiFernet([Fernet(key) for key in keys])


def encrypt(text: str) -> str:
    """`text` under the first of FIELD_ENCRYPTION_KEYS."""
    return _fernet(tuple(settings.FIELD_ENCRYPTION_KEYS)).encrypt(text.encode()).decode()


def decrypt(token: str) -> str:
    """What `encrypt` was given, under any of FIELD_ENCRYPTION_KEYS; raises InvalidToken under none."""
    return _fernet(tuple(settings.FIELD_ENCRYPTION_KEYS)).decrypt(token.encode()).decode()


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


def keyed_hash(text: str, context: str) -> bytes:
    """By what `text` is found again within `context`, and cannot be read: the id of the first of FIELD_ENCRYPTION_KEYS, and an
    HMAC under a key derived from it.
    """
    return _hash(*_first_hash_key(tuple(settings.FIELD_ENCRYPTION_KEYS)), text, context)


def keyed_hashes(text: str, context: str) -> list[bytes]:
    """What `keyed_hash` returns now, and what it returned under each of the other keys."""
    keys = _hash_keys(tuple(settings.FIELD_ENCRYPTION_KEYS))
    return [_hash(key_id, key, text, context) for key_id, key in keys]


def _hash(key_id: bytes, key: bytes, text: str, context: str) -> bytes:
    return key_id + hmac.digest(key, f"{context}\0{text}".encode(), "sha256")[:HASH_BYTES]


def sealed(data_key: AESGCM, content: bytes, context: str) -> str:
    """`content` under a data key, as text."""
    return b64encode(_encrypted(data_key, content, context)).decode()


def opened(data_key: AESGCM, text: str, context: str) -> bytes:
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


@cache
def _first_hash_key(keys: tuple[str, ...]) -> tuple[bytes, bytes]:
    return _hash_keys(keys)[0]


@cache
def _hash_keys(keys: tuple[str, ...]) -> list[tuple[bytes, bytes]]:
    return [
        (
            _cipher(key)[0],
            hashlib.blake2b(urlsafe_b64decode(key), digest_size=KEY_BYTES, person=b"hashes").digest(),
        )
        for key in keys
    ]


@dataclass(slots=True)
class Count:
    """Of one part: how many rows rested under another key than the first, and how many nothing of the setting opens."""

    older: int = 0
    unreadable: int = 0


@dataclass(frozen=True, slots=True)
class Part:
    name: str
    rows: Callable[[], QuerySet[Any]]
    renew: Renew
    fields: Sequence[str]


_parts: list[Part] = []


def register_part(part: Part) -> None:
    _parts.append(part)


def register_texts(model: type[Model], *fields: str, only: Q | None = None) -> None:
    """Columns of a table that hold what `apps.common.encryption.encrypt` has made, or nothing."""
    rows: Any = model._default_manager
    chosen = rows.filter if only is not None else rows.all
    conditions = [only] if only is not None else []
    renew = partial(renew_texts, fields)
    register_part(Part(model._meta.label, partial(chosen, *conditions), renew, fields))


def renew_texts(fields: Sequence[str], row: Any) -> bool:
    renewed = False
    for field in fields:
        token = getattr(row, field)
        if token and not is_current(token):
            setattr(row, field, encrypt(decrypt(token)))
            renewed = True
    return renewed


def is_current(token: str) -> bool:
    """Whether the first of FIELD_ENCRYPTION_KEYS has encrypted it."""
    try:
        Fernet(settings.FIELD_ENCRYPTION_KEYS[0]).decrypt(token.encode())
    except InvalidToken:
        return False
    return True


def reencrypt(*, write: bool = True, batch: int = BATCH, progress: Progress = SILENT) -> dict[str, Count]:
    progress.expect(sum(part.rows().count() for part in _parts))
    return {part.name: _renew_part(part, write, batch, progress) for part in _parts}


def _renew_part(part: Part, write: bool, batch: int, progress: Progress) -> Count:
    progress.note(part.name)
    count, last = Count(), None
    while True:
        with transaction.atomic():
            rows = part.rows().order_by("pk").select_for_update()
            found = list((rows if last is None else rows.filter(pk__gt=last))[:batch])
            renewed = [row for row in found if _renewed(part, row, count)]
            if write and renewed:
                part.rows().bulk_update(renewed, part.fields)
        progress.advance(len(found))
        if len(found) < batch:
            return count
        last = found[-1].pk


def _renewed(part: Part, row: Any, count: Count) -> bool:
    try:
        renewed = part.renew(row)
    except InvalidToken:
        count.unreadable += 1
        return False
    count.older += renewed
    return renewed
