"""Reads what was pasted into the field on top, and looks it up."""

import re
import uuid
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import CharField, DateTimeField, F, QuerySet, TextField, Value
from django.db.models.expressions import Combinable, RawSQL
from django.db.models.functions import Cast, Coalesce, Concat, Lower

from apps.accounts.models import Account, Invitation, Membership
from apps.bookings.models import Booking, PastKey, Product
from apps.common.environments import Environment
from apps.gateway.models import IdempotencyRecord
from apps.keys.models import ApiKey
from apps.keys.secrets import DISPLAY_CHARACTERS
from apps.ledger.models import LedgerTransaction
from apps.request_log.models import LoggedCall
from apps.request_log.redaction import key_to_log
from apps.webhooks.models import Delivery, Endpoint, Event

LONGEST = 4_000
LONGEST_WORD = 255
"""No text that is kept is longer."""
MOST = 10
AROUND = " \t\r\n\"'`<>()[]{},;:…"
OURS = re.compile(r"(?<![a-z0-9_])[a-z]{2,8}_[0-9a-z]{26}(?![a-z0-9])", re.IGNORECASE)
REFERENCE = re.compile(r"(?<![a-z0-9-])[hfte]-[0-9a-z]{8}(?![a-z0-9-])", re.IGNORECASE)
REQUEST = re.compile(r"(?<![0-9a-f])[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}(?![0-9a-f])", re.IGNORECASE)
SECRET = re.compile(r"svc_(?:test|live)_[0-9A-Za-z]{4,}")
PNR = re.compile(r"[A-Z0-9]{5,8}", re.IGNORECASE)
ICCID = re.compile(r"\d{18,22}")


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
    def pnr(self) -> str:
        """The word as a PNR; empty where it is none."""
        return self.word.upper() if PNR.fullmatch(self.word) else ""

    @property
    def iccid(self) -> str:
        """The word as the number of an eSIM; empty where it is none."""
        digits = self.word.replace(" ", "")
        return digits if ICCID.fullmatch(digits) else ""

    @property
    def email(self) -> str:
        return self.word if "@" in self.word else ""


def several(found: Iterable[str]) -> tuple[str, ...]:
    """Each once, at most ten, in their order."""
    return tuple(dict.fromkeys(found))[:MOST]


MOST_OF_A_KIND = 20
COLUMNS = ("kind_", "id_", "label_", "note_", "at_", "account_", "environment_")


@dataclass(frozen=True, slots=True)
class Found:
    """A row that was found. `id` is that by which the page of its kind is addressed."""

    kind: str
    id: str
    label: str
    note: str
    """Its state, or what else tells it from others."""
    at: datetime
    account_id: str
    """The account row under which it is stored: it tells which sandbox. Empty where staff find what is nobody's."""
    environment: str
    """Empty for people, who are of the whole account."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where is looked: the account rows under which an environment is stored."""

    account_ids: Sequence[str]
    environment: str

    @property
    def condition(self) -> dict[str, Any]:
        return {"account_id__in": list(self.account_ids), "environment": self.environment}

    @property
    def of_ids(self) -> dict[str, Any]:
        """The condition for names that are unique among all accounts: our ids and references."""
        return self.condition


class Everywhere(Place):
    """All accounts, in test and in live. For staff only."""

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


def rows(kind: str, found: QuerySet[Any], **shown: str | Combinable) -> Part:
    """The columns that all parts of the statement have: `id`, `label`, `note`, `at` are fields or expressions."""
    named = {name: F(value) if isinstance(value, str) else value for name, value in shown.items()}
    at = named.pop("at", F("created_at"))
    texts = {f"{name}_": Cast(named.get(name, Value("")), TextField()) for name in ("id", "label", "note")}
    columns = {"kind_": Value(kind, output_field=TextField()), **texts, "at_": Cast(at, DateTimeField())}
    for name, usual in {"account": F("account_id"), "environment": F("environment")}.items():
        columns[f"{name}_"] = Cast(named.get(name, usual), TextField())
    part: Part = found.order_by().annotate(**columns).values_list(*COLUMNS)[:MOST_OF_A_KIND]
    return part


def requests(place: Place, pasted: Pasted) -> Iterator[Part]:
    if pasted.requests:
        calls = LoggedCall.objects.filter(**place.of_ids, request_id__in=pasted.requests)
        yield rows(
            "request", calls, id="request_id", label=Concat("method", Value(" "), "path"), note="status"
        )


def bookings(place: Place, pasted: Pasted) -> Iterator[Part]:
    """A part for each way of naming a booking, because each has an index of its own."""
    mine, ours = Booking.objects.filter(**place.condition), Booking.objects.filter(**place.of_ids)
    named: list[QuerySet[Any]] = []
    if ids := pasted.ids_of("hbk", "ford", "tord", "eord", "etop"):
        named.append(ours.filter(pk__in=ids))
    if pasted.references:
        named.append(ours.filter(reference__in=pasted.references))
    if pasted.word:
        named.append(mine.filter(product__in=Product.values, external_reference=pasted.word))
        named.append(ours.filter(supplier_reference=pasted.word).exclude(supplier_reference=""))
    if pasted.pnr:
        flights = ours.filter(product="flight").annotate(pnr=RawSQL("details ->> 'pnr'", [], CharField()))
        named.append(flights.filter(pnr=pasted.pnr))
    if pasted.iccid:
        esims = ours.annotate(iccid=RawSQL("details #>> '{profile,iccid}'", [], CharField()))
        named.append(esims.filter(iccid=pasted.iccid))
    for each in named:
        yield rows("booking", each, id="pk", label="reference", note="status")


def deliveries(place: Place, pasted: Pasted) -> Iterator[Part]:
    if ids := pasted.ids_of("whd"):
        mine = Delivery.objects.filter(**place.of_ids, pk__in=ids)
        label = Concat("event_type", Value(" to "), "endpoint__url")
        yield rows("delivery", mine, id="pk", label=label, note=Lower("status"))


def events(place: Place, pasted: Pasted) -> Iterator[Part]:
    if ids := pasted.ids_of("evt"):
        mine = Event.objects.filter(**place.of_ids, pk__in=ids)
        yield rows("event", mine, id="pk", label="type", note="booking_reference")


def endpoints(place: Place, pasted: Pasted) -> Iterator[Part]:
    if ids := pasted.ids_of("we"):
        mine = Endpoint.objects.filter(**place.of_ids, pk__in=ids, deleted_at=None)
        yield rows("endpoint", mine, id="pk", label="url", note="status")


def keys(place: Place, pasted: Pasted) -> Iterator[Part]:
    """By the id, and by the first characters of a secret."""
    mine = ApiKey.objects.filter(**place.of_ids)
    if ids := pasted.ids_of("key"):
        yield rows("key", mine.filter(pk__in=ids), id="pk", label="name")
    if pasted.secrets:
        begun = mine.filter(secrets__prefix__in=pasted.secrets)
        yield rows("key", begun, id="pk", label="name", note=Concat("secrets__prefix", Value("…")))


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
        yield rows("keyed", logged.exclude(idempotency_key=""), id="request_id", label=label, note="status")


def people(account_id: str, pasted: Pasted) -> Iterator[Part]:
    """Who may sign in, and who is invited. They are of the account, whatever the environment."""
    members = Membership.objects.filter(account_id=account_id, user__email__iexact=pasted.email)
    yield rows(
        "member", members, id=numbered("member-"), label="user__email", note="role", environment=Value("")
    )
    invited = Invitation.objects.annotate(address=Lower("email")).filter(
        account_id=account_id, address=pasted.email.lower(), accepted_at=None, withdrawn_at=None
    )
    yield rows(
        "member",
        invited,
        id=numbered("invitation-"),
        label="email",
        note=Value("invited"),
        environment=Value(""),
    )


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
    "endpoint": endpoints,
    "key": keys,
}


def find(place: Place, pasted: Pasted, kinds: Collection[str]) -> list[Found]:
    """What the text names, each once. One statement; none where the text cannot name anything."""
    parts = [part for kind, look in LOOKS.items() if kind in kinds for part in look(place, pasted)]
    return told(parts)


def find_people(account_id: str, pasted: Pasted) -> list[Found]:
    """The members and the invited of this address. One statement; none where the text is no address."""
    return told([*people(account_id, pasted)] if pasted.email else [])


def told(parts: list[Part]) -> list[Found]:
    if not parts:
        return []
    together = parts[0].union(*parts[1:], all=True) if parts[1:] else parts[0]
    found = [Found(*row) for row in together]
    each_once = {(one.kind, one.id): one for one in reversed(found)}
    return sorted(each_once.values(), key=lambda one: (one.kind, one.at), reverse=True)
