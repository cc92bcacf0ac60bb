"""Moves all that rests under FIELD_ENCRYPTION_KEYS to the first of them, so that the others can be taken out and destroyed.

Each app registers its own part when it is ready. A part goes along a primary key in batches, each a transaction of its own. It
may be run beside everything else and again at any time.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings
from django.db import transaction
from django.db.models import Model, Q, QuerySet

from apps.common.encryption import decrypt, encrypt

BATCH = 500

Renew = Callable[[Any], bool]
"""Moves what one row has to the first key, in memory. Returns False where it is there already. Raises InvalidToken."""


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


def reencrypt(*, write: bool = True, batch: int = BATCH) -> dict[str, Count]:
    """By the name of each part. Nothing is written where `write` is false."""
    return {part.name: _renew_part(part, write, batch) for part in _parts}


def _renew_part(part: Part, write: bool, batch: int) -> Count:
    count, last = Count(), None
    while True:
        with transaction.atomic():
            rows = part.rows().order_by("pk").select_for_update()
            found = list((rows if last is None else rows.filter(pk__gt=last))[:batch])
            renewed = [row for row in found if _renewed(part, row, count)]
            if write and renewed:
                part.rows().bulk_update(renewed, part.fields)
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
