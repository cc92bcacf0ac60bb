"""Keyset pages, newest first: `{"data", "hasMore", "nextCursor"}` (contract §1).

A cursor is signed and bound to account, environment, listing and filters. A made-up one, or one of another listing, is refused.
A page is found by comparison, not by OFFSET or count(*), so page 25,000 costs as much as the first one.
"""

import hashlib
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import date, datetime
from typing import Any, cast

import orjson
from django.core import signing
from django.db.models import Model, QuerySet
from rest_framework.pagination import BasePagination
from rest_framework.request import Request

from apps.common import keyset
from apps.common.errors import InvalidRequest
from apps.gateway.fields import ISO_DATE
from apps.gateway.operations import QueryParameter
from apps.gateway.requests import PartnerRequest

DEFAULT_LIMIT = 20
MAX_LIMIT = 100
SALT = "gateway.pagination"
MOST_SOUGHT = 255
ANY_TEXT = None
ANY_TEXT_SCHEMA = {"type": "string", "minLength": 1, "maxLength": MOST_SOUGHT}

PAGE_PARAMETERS = (
    QueryParameter(
        "limit",
        {"type": "integer", "minimum": 1, "maximum": MAX_LIMIT, "default": DEFAULT_LIMIT},
        "How many rows the page may have.",
    ),
    QueryParameter(
        "cursor",
        {"type": "string", "minLength": 1},
        "`nextCursor` of the page before, with the same filters. Left out: the first page. Any other value gets 400.",
    ),
)


class KeysetPagination(BasePagination):
    """Pages of one listing. DRF's CursorPagination has unsigned cursors, and an OFFSET where instants are equal."""

    def __init__(self, listing: str, filters: Mapping[str, str] | None = None) -> None:
        """`filters` narrow the listing, and its cursors are good for no others."""
        self.listing = listing
        self.filters = filters or {}
        self.next_cursor: str | None = None

    def paginate_queryset(self, queryset: Any, request: Request, view: object = None) -> list[Any]:
        """The rows of the page that the request asks for. Raises InvalidRequest for limit or cursor."""
        request = cast("PartnerRequest", request)
        limit = read_limit(request)
        binding = binding_of(request, self.listing, self.filters)
        cursor = request.query_params.get("cursor")
        if cursor is not None:
            queryset = queryset.filter(keyset.after(*_read(cursor, binding)))
        found = list(queryset.order_by("-created_at", "-id")[: limit + 1])
        shown = found[:limit]
        self.next_cursor = _write(shown[-1], binding) if len(found) > limit else None
        return shown

    def body_of(self, data: Sequence[object]) -> dict[str, object]:
        return {"data": data, "hasMore": self.next_cursor is not None, "nextCursor": self.next_cursor}


def page(
    request: PartnerRequest,
    rows: QuerySet[Any],
    present: Callable[[Any], object],
    *,
    listing: str,
    filters: Mapping[str, str] | None = None,
) -> dict[str, object]:
    """One page of `rows`, which are filtered already, each as `present` shows it. Raises InvalidRequest for limit or cursor."""
    pages = KeysetPagination(listing, filters)
    return pages.body_of([present(row) for row in pages.paginate_queryset(rows, request)])


def read_limit(request: PartnerRequest) -> int:
    """The `limit` parameter, 1 to 100; 20 when it is absent. Raises InvalidRequest."""
    return read_number(request, "limit", default=DEFAULT_LIMIT, maximum=MAX_LIMIT)


def read_number(request: PartnerRequest, name: str, *, default: int, maximum: int) -> int:
    """A query parameter that is a number from 1 to `maximum`, in ASCII digits. Raises InvalidRequest."""
    text = request.query_params.get(name)
    if text is None:
        return default
    if not (text.isascii() and text.isdigit() and len(text) <= 9 and 1 <= int(text) <= maximum):
        raise InvalidRequest.field(name, f"must be a whole number from 1 to {maximum}")
    return int(text)


def read_day(request: PartnerRequest, name: str) -> date | None:
    """A query parameter that is a date; None without it. Raises InvalidRequest."""
    text = request.query_params.get(name)
    if text is None:
        return None
    try:
        if not ISO_DATE.fullmatch(text):
            raise ValueError
        return date.fromisoformat(text)
    except ValueError:
        raise InvalidRequest.field(name, "must be a date in the form YYYY-MM-DD") from None


def read_filters(
    request: PartnerRequest, allowed: Mapping[str, tuple[str, ...] | None], *, any_case: Collection[str] = ()
) -> dict[str, str]:
    """The filters of the query, each with the values that it takes; with ANY_TEXT, what nothing can carry finds nothing.

    `any_case` names the filters that are read in upper case. Raises InvalidRequest.
    """
    found = {}
    for name, choices in allowed.items():
        value = request.query_params.get(name)
        if value is None:
            continue
        if name in any_case:
            value = value.upper()
        if choices is None:
            value = _sought(name, value)
        elif value not in choices:
            raise InvalidRequest.field(name, f"must be one of {', '.join(choices)}")
        found[name] = value
    return found


def _sought(name: str, value: str) -> str:
    if not 1 <= len(value) <= MOST_SOUGHT or "\x00" in value:
        raise InvalidRequest.field(name, f"must have 1 to {MOST_SOUGHT} characters, none of them NUL")
    return value.strip() or value


def binding_of(request: PartnerRequest, listing: str, filters: Mapping[str, str]) -> str:
    """What a cursor is good for: this account and environment, this listing, these filters."""
    partner = request.partner
    return _binding([partner.account_id, partner.environment, listing, sorted(filters.items())])


def binding_to_record(listing: str, record_id: str) -> str:
    """What a cursor into a stored answer is good for. The record belongs to one account and environment."""
    return _binding([listing, record_id])


def _binding(parts: list[Any]) -> str:
    return hashlib.sha256(orjson.dumps(parts)).hexdigest()[:16]


def _write(row: Model, binding: str) -> str:
    created_at: datetime = row.created_at  # type: ignore[attr-defined]
    return write_cursor([created_at.isoformat(), row.pk], binding)


class _SignerAt(signing.TimestampSigner):
    """It signs as of an instant, so that the same answer has the same cursor whenever it is made."""

    def __init__(self, instant: datetime) -> None:
        super().__init__(salt=SALT)
        self._instant = instant

    def timestamp(self) -> str:
        return signing.b62_encode(int(self._instant.timestamp()))


def write_cursor(place: Sequence[str | None], binding: str, *, at: datetime | None = None) -> str:
    """`at`: when the stored answer was made that the cursor is a part of."""
    signer = signing.TimestampSigner(salt=SALT) if at is None else _SignerAt(at)
    return str(signer.sign_object([binding, *place], compress=True))


def is_own_cursor(cursor: str) -> bool:
    """Whether some listing of ours issued it. Then it holds no text of the caller."""
    try:
        signing.TimestampSigner(salt=SALT).unsign(cursor)
    except signing.BadSignature:
        return False
    return True


def _read(cursor: str, binding: str) -> tuple[datetime, str]:
    try:
        created_at, row_id = read_cursor(cursor, binding)
        return datetime.fromisoformat(created_at), str(row_id)
    except (ValueError, TypeError):
        raise not_issued_here() from None


def read_cursor(cursor: str, binding: str) -> list[Any]:
    """The place at which a cursor of ours stands. Raises InvalidRequest for one that is not good for this."""
    try:
        bound_to, *place = list(signing.loads(cursor, salt=SALT))
    except (signing.BadSignature, ValueError, TypeError):
        raise not_issued_here() from None
    if bound_to != binding:
        raise not_issued_here()
    return place


def not_issued_here() -> InvalidRequest:
    return InvalidRequest.field("cursor", "was not issued for this listing and these filters")
