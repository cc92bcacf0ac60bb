"""Reads what was typed or pasted into the search, and looks it up.

What is sought whole is found by an index, however old it is. The beginning of an id or of a reference is a range of an index. The
last characters are compared with those of the newest rows, so that no table needs a second index for them.
"""

import re
import uuid
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, ClassVar

from django.db.models import CharField, DateTimeField, F, IntegerField, Q, QuerySet, TextField, Value
from django.db.models.expressions import Combinable, RawSQL
from django.db.models.functions import Cast, Coalesce, Concat, Lower

from apps.accounts.models import Account, Invitation, Membership
from apps.bookings.last_names import named
from apps.bookings.models import Booking, PastKey, Product
from apps.common.environments import Environment
from apps.common.querysets import id_begins, reference_begins
from apps.gateway.models import IdempotencyRecord
from apps.keys.models import ApiKey
from apps.keys.secrets import DISPLAY_CHARACTERS
from apps.ledger.models import LedgerTransaction
from apps.request_log.models import LoggedCall
from apps.request_log.redaction import key_to_log
from apps.webhooks.models import Delivery, Endpoint, Event, Exam, Recovery

LONGEST = 4_000
LONGEST_WORD = 255
"""No text that is kept is longer."""
MOST = 10
LONGEST_PART = 64
"""No name or beginning that is sought is longer."""
AROUND = " \t\r\n\"'`<>()[]{},;:…"
OURS = re.compile(r"(?<![a-z0-9_])[a-z]{2,8}_[0-9a-z]{26}(?![a-z0-9])", re.IGNORECASE)
REFERENCE = re.compile(r"(?<![a-z0-9-])[hfte]-[0-9a-z]{8}(?![a-z0-9-])", re.IGNORECASE)
REQUEST = re.compile(r"(?<![0-9a-f])[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}(?![0-9a-f])", re.IGNORECASE)
SECRET = re.compile(r"svc_(?:test|live)_[0-9A-Za-z]{4,}")
PNR = re.compile(r"[A-Z0-9]{5,8}", re.IGNORECASE)
ICCID = re.compile(r"\d{18,22}")
BEGUN = re.compile(
    r"(?P<kind>[a-z]{2,8})_(?P<begins>[0-9a-z]{0,25})(?:(?:…|\.\.+)(?P<ends>[0-9a-z]{3,12}))?", re.IGNORECASE
)
"""Less than an id: its beginning, or that and its end as lists of other systems shorten ids."""
BEGUN_REFERENCE = re.compile(r"[hfte]-[0-9a-z]{1,7}", re.IGNORECASE)
BEGUN_REQUEST = re.compile(r"(?=.*\d)[0-9a-f]{4,8}(?:-[0-9a-f]{0,4}){0,3}(?:-[0-9a-f]{0,11})?", re.IGNORECASE)
ENDS = re.compile(r"[0-9a-hjkmnp-tv-z]{4,25}", re.IGNORECASE)
"""Possibly the last characters of an id: its alphabet has no i, l, o and u."""
ENDS_OF_REQUEST = re.compile(r"[0-9a-f]{4,12}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Pasted:
    """`word` is the whole text, for what partners and suppliers name as they like; the others are found anywhere in it."""

    word: str
    ids: tuple[str, ...]
    references: tuple[str, ...]
    requests: tuple[uuid.UUID, ...]
    secrets: tuple[str, ...]
    """The first characters of secrets, as they are kept."""
    has_whole_secret: bool

    @classmethod
    def of(cls, text: str) -> "Pasted":
        read = text[:LONGEST]
        word = read.strip(AROUND).removesuffix("...")
        secrets = SECRET.findall(read)
        return cls(
            word=word if len(word) <= LONGEST_WORD else "",
            ids=several(each.lower() for each in OURS.findall(read)),
            references=several(each.upper() for each in REFERENCE.findall(read)),
            requests=tuple(uuid.UUID(each) for each in several(REQUEST.findall(read.lower()))),
            secrets=several(each[:DISPLAY_CHARACTERS] for each in secrets),
            has_whole_secret=any(len(each) > DISPLAY_CHARACTERS for each in secrets),
        )

    def ids_of(self, *prefixes: str) -> list[str]:
        """Those that begin with one of these prefixes: `ids_of("hbk", "ford")`."""
        return [each for each in self.ids if each.partition("_")[0] in prefixes]

    @property
    def spellings(self) -> list[str]:
        """The word as it is and in capitals, for codes that others make."""
        return sorted({self.word, self.word.upper()})

    @property
    def part(self) -> str:
        """The word as a part of a name or of an address; empty where it is too short or too long, and where ids were pasted."""
        is_id = self.ids or self.references or self.requests or self.secrets
        return self.word if not is_id and 3 <= len(self.word) <= LONGEST_PART else ""

    @property
    def pattern(self) -> tuple[str, str, str]:
        """Kind, beginning and end of an id that is not whole, `("hbk", "hbk_01kb", "")`; what is not given is empty."""
        if begun := BEGUN.fullmatch(self.word):
            kind, begins, ends = (each or "" for each in begun.group("kind", "begins", "ends"))
            return kind.lower(), f"{kind}_{begins}".lower(), ends.lower()
        return "", "", self.word.lower() if ENDS.fullmatch(self.word) else ""

    def begins(self, kind: str) -> str:
        """The beginning of an id of that kind, where nothing is said of its end."""
        of, begins, ends = self.pattern
        return begins if of == kind and not ends else ""

    def like(self, *kinds: str) -> str:
        """A pattern for LIKE that ids of one of these kinds match by their last characters; empty where none are given."""
        of, begins, ends = self.pattern
        return f"{begins}%{ends}".replace("_", r"\_") if ends and of in ("", *kinds) else ""

    @property
    def begun_reference(self) -> str:
        return self.word if BEGUN_REFERENCE.fullmatch(self.word) else ""

    @property
    def begun_request(self) -> tuple[uuid.UUID, uuid.UUID] | None:
        """The first and the last id that begin so."""
        if not BEGUN_REQUEST.fullmatch(self.word):
            return None
        digits = self.word.replace("-", "")
        return uuid.UUID(digits.ljust(32, "0")), uuid.UUID(digits.ljust(32, "f"))

    @property
    def last_names(self) -> list[str]:
        """The word as a last name, and the last of several words, as in `Ada Byron`."""
        if not 2 <= len(self.word) <= LONGEST_PART or re.search(r"[\d@_/]", self.word):
            return []
        return list(dict.fromkeys([self.word, self.word.split()[-1]]))

    @property
    def pnr(self) -> str:
        """The word as a PNR; empty if it is not one."""
        return self.word.upper() if PNR.fullmatch(self.word) else ""

    @property
    def iccid(self) -> str:
        """The word as the number of an eSIM; empty if it is not one."""
        digits = self.word.replace(" ", "")
        return digits if ICCID.fullmatch(digits) else ""

    @property
    def email(self) -> str:
        return self.word if "@" in self.word else ""


def several(found: Iterable[str]) -> tuple[str, ...]:
    """Each once, at most ten, in their order."""
    return tuple(dict.fromkeys(found))[:MOST]


MOST_OF_A_KIND = 20
EXACT, BEGINS, ENDS_SO = 0, 2, 4
"""How well a row fits, the best first: what the text names, what begins so or has it in its name, what ends so."""
COLUMNS = ("kind_", "rank_", "id_", "label_", "note_", "at_", "account_", "environment_")


@dataclass(frozen=True, slots=True)
class Found:
    """A row that was found. `id` is that by which the page of its kind is addressed."""

    kind: str
    rank: int
    id: str
    label: str
    note: str
    """Its state, or what else distinguishes it."""
    at: datetime
    account_id: str
    """The account row under which it is stored: it identifies the sandbox. Empty if staff find something that belongs to no
    account.
    """
    environment: str
    """Empty for people, who are of the whole account."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where is looked: the account rows under which an environment is stored."""

    account_ids: Sequence[str]
    environment: str

    is_own: ClassVar[bool] = True
    """Whether parts of names are sought as well: among the rows of an account they are few."""

    @property
    def condition(self) -> dict[str, Any]:
        return {"account_id__in": list(self.account_ids), "environment": self.environment}

    @property
    def of_ids(self) -> dict[str, Any]:
        """The condition for names that are unique among all accounts: our ids and references."""
        return self.condition


class Everywhere(Place):
    """All accounts, in test and in live. For staff only."""

    is_own = False

    def __init__(self) -> None:
        super().__init__((), "")

    @property
    def condition(self) -> dict[str, Any]:
        """Account by account: so the indexes of names that every account has for itself are used."""
        return {"account_id__in": Account.objects.values("pk"), "environment__in": Environment.values}

    @property
    def of_ids(self) -> dict[str, Any]:
        return {}


Part = QuerySet[Any, Any]
Look = Callable[[Place, Pasted], Iterable[Part]]


def rows(
    kind: str, found: QuerySet[Any], rank: int = EXACT, *, newest: str = "", **shown: str | Combinable
) -> Part:
    """The columns that all parts of the statement have: `id`, `label`, `note`, `at` are fields or expressions. `newest` is the
    field by which the newest are taken where there are many.
    """
    named = {name: F(value) if isinstance(value, str) else value for name, value in shown.items()}
    at = named.pop("at", F("created_at"))
    texts = {f"{name}_": Cast(named.get(name, Value("")), TextField()) for name in ("id", "label", "note")}
    fits = Value(rank, output_field=IntegerField())
    columns = {
        "kind_": Value(kind, output_field=TextField()),
        "rank_": fits,
        **texts,
        "at_": Cast(at, DateTimeField()),
    }
    for name, usual in {"account": F("account_id"), "environment": F("environment")}.items():
        columns[f"{name}_"] = Cast(named.get(name, usual), TextField())
    ordered = found.order_by(f"-{newest}") if newest else found.order_by()
    part: Part = ordered.annotate(**columns).values_list(*COLUMNS)[:MOST_OF_A_KIND]
    return part


NEWEST = 10_000
"""Among so many of the newest rows of an account the last characters of an id are sought; of bookings, among as many of each
product."""
NEWEST_IDS = """(SELECT newest.id FROM unnest(%s::text[]) AS mine (account_id) CROSS JOIN LATERAL (
    SELECT id FROM {table} WHERE account_id = mine.account_id AND environment = %s ORDER BY created_at DESC, id DESC LIMIT %s
) newest WHERE newest.id LIKE %s LIMIT %s)"""
NEWEST_BOOKINGS = """(SELECT newest.id FROM unnest(%s::text[]) AS mine (account_id)
CROSS JOIN unnest(%s::text[]) AS sold (product) CROSS JOIN LATERAL (
    SELECT id FROM bookings_booking WHERE account_id = mine.account_id AND environment = %s AND product = sold.product
     ORDER BY created_at DESC, id DESC LIMIT %s
) newest WHERE newest.id LIKE %s LIMIT %s)"""
NEWEST_REQUESTS = """(SELECT newest.request_id FROM unnest(%s::text[]) AS mine (account_id) CROSS JOIN LATERAL (
    SELECT request_id FROM request_log_loggedcall WHERE account_id = mine.account_id AND environment = %s
     ORDER BY created_at DESC, id DESC LIMIT %s
) newest WHERE right(newest.request_id::text, length(%s)) = %s LIMIT %s)"""


def newest_ids(place: Place, model: type[Event | Delivery], like: str) -> RawSQL:
    table = model._meta.db_table
    parameters = [list(place.account_ids), place.environment, NEWEST, like, MOST_OF_A_KIND]
    return RawSQL(NEWEST_IDS.format(table=table), parameters)  # noqa: S611 - the table is one of ours


def requests(place: Place, pasted: Pasted) -> Iterator[Part]:
    shown: dict[str, Any] = {
        "id": "request_id",
        "label": Concat("method", Value(" "), "path"),
        "note": Concat(Cast("status", TextField()), Value(" "), "error_type"),
    }
    if pasted.requests:
        calls = LoggedCall.objects.filter(**place.of_ids, request_id__in=pasted.requests)
        yield rows("request", calls, **shown)
    if not place.is_own or pasted.requests:
        return
    mine = LoggedCall.objects.filter(**place.condition)
    if begun := pasted.begun_request:
        yield rows("request", mine.filter(request_id__range=begun), BEGINS, newest="created_at", **shown)
    if ENDS_OF_REQUEST.fullmatch(pasted.word):
        ends = pasted.word.lower()
        parameters = [list(place.account_ids), place.environment, NEWEST, ends, ends, MOST_OF_A_KIND]
        newest = RawSQL(NEWEST_REQUESTS, parameters)  # noqa: S611 - no text of it comes from outside
        yield rows("request", mine.filter(request_id__in=newest), ENDS_SO, **shown)


OF_BOOKINGS = {
    "hbk": Product.HOTEL,
    "ford": Product.FLIGHT,
    "tord": Product.TRANSFER,
    "eord": Product.ESIM,
    "etop": Product.ESIM,
}


def bookings(place: Place, pasted: Pasted) -> Iterator[Part]:
    """A part for each way of naming a booking, because each has an index of its own."""
    mine, ours = Booking.objects.filter(**place.condition), Booking.objects.filter(**place.of_ids)
    exact: list[QuerySet[Any]] = []
    if ids := pasted.ids_of(*OF_BOOKINGS):
        exact.append(ours.filter(pk__in=ids))
    if pasted.references:
        exact.append(ours.filter(reference__in=pasted.references))
    if pasted.word:
        every = mine.filter(product__in=Product.values)
        exact.append(every.filter(external_reference=pasted.word))
        exact.append(every.filter(trip_reference=pasted.word))
        coded = ours.exclude(supplier_reference="")
        exact.append(coded.filter(supplier_reference__in=pasted.spellings))
        stays = ours.filter(product="hotel").annotate(
            code=RawSQL("details ->> 'confirmation_code'", [], CharField())
        )
        exact.append(stays.filter(code__in=pasted.spellings))
    if pasted.pnr:
        flights = ours.filter(product="flight").annotate(pnr=RawSQL("details ->> 'pnr'", [], CharField()))
        exact.append(flights.filter(pnr=pasted.pnr))
    if pasted.iccid:
        esims = ours.annotate(iccid=RawSQL("details #>> '{profile,iccid}'", [], CharField()))
        exact.append(esims.filter(iccid=pasted.iccid))
    for each in exact:
        yield rows("booking", each, id="pk", label="reference", note="status")
    if place.is_own:
        for rank, each in like_bookings(place, pasted):
            yield rows("booking", each, rank, newest="created_at", id="pk", label="reference", note="status")


def like_bookings(place: Place, pasted: Pasted) -> Iterator[tuple[int, QuerySet[Any]]]:
    """By the beginning of an id, of a reference or of an externalReference, by a traveller's last name, by the end of an id."""
    mine = Booking.objects.filter(**place.condition, product__in=Product.values)
    kind, *_ = pasted.pattern
    if kind in OF_BOOKINGS and (begins := pasted.begins(kind)):
        yield BEGINS, mine.filter(id_begins("id", begins), product=OF_BOOKINGS[kind])
    if pasted.begun_reference:
        yield BEGINS, mine.filter(reference_begins("reference", pasted.begun_reference))
    if pasted.part:
        yield BEGINS, mine.filter(external_reference__begins=pasted.part)
    if pasted.last_names:
        known = named(pasted.last_names, place.account_ids, place.environment)
        yield BEGINS, mine.filter(pk__in=known.values("pk"))
    if like := pasted.like(*OF_BOOKINGS):
        products = [OF_BOOKINGS[kind]] if kind else Product.values
        parameters = [list(place.account_ids), products, place.environment, NEWEST, like, MOST_OF_A_KIND]
        newest = RawSQL(NEWEST_BOOKINGS, parameters)  # noqa: S611 - no text of it comes from outside
        yield ENDS_SO, mine.filter(pk__in=newest)


def deliveries(place: Place, pasted: Pasted) -> Iterator[Part]:
    label = Concat("event_type", Value(" to "), "endpoint__url")
    for rank, found in by_id(place, pasted, Delivery, "whd"):
        newest = "created_at" if rank else ""
        yield rows("delivery", found, rank, newest=newest, id="pk", label=label, note=Lower("status"))


def events(place: Place, pasted: Pasted) -> Iterator[Part]:
    for rank, found in by_id(place, pasted, Event, "evt"):
        newest = "created_at" if rank else ""
        yield rows("event", found, rank, newest=newest, id="pk", label="type", note="booking_reference")


def by_id(
    place: Place, pasted: Pasted, model: type[Event | Delivery], prefix: str
) -> Iterator[tuple[int, QuerySet[Any]]]:
    """Of the large tables: whole ids, their beginnings, and the last characters among the newest."""
    if ids := pasted.ids_of(prefix):
        yield EXACT, model.objects.filter(**place.of_ids, pk__in=ids)
    if not place.is_own:
        return
    mine = model.objects.filter(**place.condition)
    if begins := pasted.begins(prefix):
        yield BEGINS, mine.filter(id_begins("id", begins))
    if like := pasted.like(prefix):
        yield ENDS_SO, mine.filter(pk__in=newest_ids(place, model, like))


def few(place: Place, pasted: Pasted, model: type[Any], prefix: str) -> Iterator[tuple[int, QuerySet[Any]]]:
    """Of tables of which an account has few rows: whole ids, beginnings and ends."""
    if ids := pasted.ids_of(prefix):
        yield EXACT, model.objects.filter(**place.of_ids, pk__in=ids)
    if not place.is_own:
        return
    mine = model.objects.filter(**place.condition)
    kind, begins, ends = pasted.pattern
    if kind in ("", prefix) and (begins or ends):
        yield BEGINS if begins else ENDS_SO, mine.filter(pk__startswith=begins, pk__endswith=ends)


def endpoints(place: Place, pasted: Pasted) -> Iterator[Part]:
    """By the id, and by a part of the URL or of the description."""
    found = list(few(place, pasted, Endpoint, "we"))
    if place.is_own and (part := pasted.part):
        called = Q(url__icontains=part) | Q(description__icontains=part)
        found.append((BEGINS, Endpoint.objects.filter(called, **place.condition)))
    for rank, each in found:
        yield rows("endpoint", each.filter(deleted_at=None), rank, id="pk", label="url", note="status")


def recoveries(place: Place, pasted: Pasted) -> Iterator[Part]:
    for rank, found in few(place, pasted, Recovery, "whr"):
        label = Concat(Value("Recovery of "), "endpoint__url")
        yield rows("recovery", found, rank, id="pk", label=label, note="status")


def exams(place: Place, pasted: Pasted) -> Iterator[Part]:
    for rank, found in few(place, pasted, Exam, "whx"):
        label = Concat(Value("Exam of "), "endpoint__url")
        yield rows("exam", found, rank, id="pk", label=label, note="status")


def keys(place: Place, pasted: Pasted) -> Iterator[Part]:
    """By the id, by the first characters of a secret, and by a part of the name."""
    mine = ApiKey.objects.filter(**place.of_ids)
    for rank, found in few(place, pasted, ApiKey, "key"):
        yield rows("key", found, rank, id="pk", label="name")
    if pasted.secrets:
        begun = mine.filter(secrets__prefix__in=pasted.secrets)
        yield rows("key", begun, id="pk", label="name", note=Concat("secrets__prefix", Value("…")))
    if place.is_own and pasted.part:
        yield rows("key", mine.filter(name__iexact=pasted.part), id="pk", label="name")
        yield rows("key", mine.filter(name__icontains=pasted.part), BEGINS, id="pk", label="name")


def ledger(place: Place, pasted: Pasted) -> Iterator[Part]:
    if ids := pasted.ids_of("led"):
        mine = LedgerTransaction.objects.filter(**place.of_ids, pk__in=ids)
        yield rows("ledger", mine, id="pk", label=Coalesce("booking_reference", "description"), note="type")


def calls(place: Place, pasted: Pasted) -> Iterator[Part]:
    """By the Idempotency-Key: while its answer is kept, and after that where something was begun."""
    if pasted.word:
        named = {**place.condition, "key": pasted.word}
        kept, past = IdempotencyRecord.objects.filter(**named), PastKey.objects.filter(**named)
        yield rows("call", kept, id="key", label="key", note="operation")
        yield rows("call", past, id="key", label="key", note="operation", at="first_seen_at")


def keyed(place: Place, pasted: Pasted) -> Iterator[Part]:
    """The calls with the Idempotency-Key, for one of which nothing else is kept any more."""
    if pasted.word:
        logged = LoggedCall.objects.filter(**place.condition, idempotency_key=key_to_log(pasted.word))
        label = Concat("method", Value(" "), "path")
        status = Concat(Cast("status", TextField()), Value(" "), "error_type")
        yield rows("keyed", logged.exclude(idempotency_key=""), id="request_id", label=label, note=status)


def people(account_id: str, pasted: Pasted) -> Iterator[Part]:
    """Who may sign in, and who is invited: by the address, or a part of it or of the name. They are of the whole account."""
    part = pasted.part
    if not part:
        return
    exact = Q(user__email__iexact=part), Q(address=part.lower())
    like = (
        Q(user__email__icontains=part) | Q(user__first_name__icontains=part),
        Q(address__contains=part.lower()),
    )
    invitations = Invitation.objects.annotate(address=Lower("email")).filter(
        account_id=account_id, accepted_at=None, withdrawn_at=None
    )
    for rank, (of_members, of_invited) in ((EXACT, exact), (BEGINS, like)):
        members = Membership.objects.filter(of_members, account_id=account_id)
        shown: dict[str, Any] = {"id": numbered("member-"), "label": "user__email", "note": "role"}
        yield rows("member", members, rank, environment=Value(""), **shown)
        shown = {"id": numbered("invitation-"), "label": "email", "note": Value("invited")}
        yield rows("member", invitations.filter(of_invited), rank, environment=Value(""), **shown)


def numbered(before: str) -> Combinable:
    """The row on the page of the team."""
    return Concat(Value(before), Cast("pk", TextField()))


LOOKS: dict[str, Look] = {
    "request": requests,
    "booking": bookings,
    "call": calls,
    "keyed": keyed,
    "ledger": ledger,
    "delivery": deliveries,
    "event": events,
    "recovery": recoveries,
    "exam": exams,
    "endpoint": endpoints,
    "key": keys,
}


def find(place: Place, pasted: Pasted, kinds: Collection[str], *, people_of: str = "") -> list[Found]:
    """What the text names, each once, the best first; with `people_of`, the people of that account too. One statement; none where
    the text cannot name anything.
    """
    parts = [part for kind, look in LOOKS.items() if kind in kinds for part in look(place, pasted)]
    if people_of and "member" in kinds:
        parts += people(people_of, pasted)
    return told(parts)


AWAITING = {"awaiting": "awaiting_approval"}
"""A booking's status as it is stored and as it is on the wire (`StatusField`): a part reads texts."""


def told(parts: list[Part]) -> list[Found]:
    if not parts:
        return []
    together = parts[0].union(*parts[1:], all=True) if parts[1:] else parts[0]
    found = [Found(*row) for row in together]
    found = [
        replace(one, note=AWAITING.get(one.note, one.note)) if one.kind == "booking" else one for one in found
    ]
    best = {(one.kind, one.id): one for one in sorted(found, key=lambda one: one.rank, reverse=True)}
    return sorted(best.values(), key=lambda one: (one.rank, -one.at.timestamp(), one.id))
