"""What the simulated suppliers of all products share: repeatable randomness, memory and exchange rates.

A simulator remembers the writes that it accepted, append-only, in a table that all processes share. A booking's present state is
the record of its latest write. So a lost answer can be looked up by our own reference, and what was really booked, changed or
cancelled can be counted afterwards. No transaction of ours is open during a supplier call, so what the simulator wrote stays,
whatever becomes of the operation that called it: as with a real supplier.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from hashlib import blake2b
from typing import Any, Generic, TypeVar

import orjson

from apps.common import clock, money, sql
from apps.suppliers.errors import Missing, NotPossible, Rejected
from apps.suppliers.models import SimulatedWrite
from apps.suppliers.values import from_json, to_json

T = TypeVar("T")
Record = TypeVar("Record")


def draw(low: int, high: int, *words: object) -> int:
    """A number from `low` to `high`, both included, decided by `words` alone."""
    digest = blake2b("\x1f".join(str(word) for word in words).encode(), digest_size=8).digest()
    return low + int.from_bytes(digest, "big") % (high - low + 1)


def shuffled(items: Sequence[T], *words: object) -> list[T]:
    """`items` in an order that depends on `words` and on how each item prints."""
    return sorted(items, key=lambda item: draw(0, 2**63, *words, item))


@dataclass(frozen=True, slots=True)
class Market:
    """The percentage of the published price that is asked now, and whether everything is sold."""

    percent: int = 100
    sold_out: bool = False


BOOK = "book"
CHANGE = "change"
CANCEL = "cancel"
REPLACE = "replace"
"""The end of a booking that a change replaced by another one."""
ACCEPT = "accept"
SERVICES = "services"
PAY = "pay"
CORRECT = "correct"
REFUND = "refund"


@dataclass(frozen=True, slots=True)
class Write:
    """One accepted write: the `sequence`-th (from 0) to the booking `reference`, left as `record`."""

    kind: str
    client_ref: str
    reference: str
    sequence: int
    record: Any


class AlreadyWrittenError(Exception):
    """The client reference was used before, or another write to the same booking came first."""


# One statement and one round trip. Its commit need not wait for the disk: a crash that loses it also loses
# every later commit of ours, so we cannot remember a booking that the simulator forgot.
ADD = """
WITH relaxed AS (SELECT set_config('synchronous_commit', 'off', true))
INSERT INTO suppliers_simulatedwrite (product, kind, client_ref, reference, sequence, record, created_at)
SELECT %s, %s, %s, %s, %s, %s::jsonb, %s FROM relaxed
ON CONFLICT DO NOTHING
"""


class DatabaseStore:
    def __init__(self, product: str) -> None:
        self.product = product

    def add(self, write: Write) -> None:
        record = orjson.dumps(write.record).decode()
        row = [write.kind, write.client_ref, write.reference, write.sequence, record, clock.now()]
        if not sql.rows_changed(ADD, [self.product, *row]):
            raise AlreadyWrittenError(write.client_ref)

    def find(self, kind: str, client_ref: str) -> Write | None:
        return _as_write(
            SimulatedWrite.objects.filter(product=self.product, kind=kind, client_ref=client_ref).first()
        )

    def latest(self, reference: str) -> Write | None:
        writes = SimulatedWrite.objects.filter(product=self.product, reference=reference)
        return _as_write(writes.order_by("-sequence").first())


def _as_write(row: SimulatedWrite | None) -> Write | None:
    if row is None:
        return None
    return Write(row.kind, row.client_ref, row.reference, row.sequence, row.record)


class Simulator(Generic[Record]):
    """What simulators of bookings share: each write stores the whole booking as a `record_type`.

    They are not idempotent: whether a reference can be used twice is the store's rule.
    """

    name = "simulator"
    record_type: type[Record]

    def __init__(
        self,
        store: DatabaseStore,
        *,
        market: Market | None = None,
        now: Callable[[], datetime] = clock.now_here,
    ) -> None:
        self.store = store
        self.market = market or Market()
        self.now = now

    def latest(self, reference: str) -> tuple[Record, int]:
        """The booking as it stands and the number of its latest write. Raises Missing."""
        write = self.store.latest(reference)
        if write is None:
            raise Missing("the booking is unknown")
        return from_json(self.record_type, write.record), write.sequence

    def written(self, kind: str, client_ref: str) -> Record | None:
        """The booking as the write with this reference left it."""
        write = self.store.find(kind, client_ref)
        return from_json(self.record_type, write.record) if write else None

    def write_first(self, client_ref: str, reference: str, record: Record) -> None:
        """Raises Rejected for a reference that was used before."""
        self.write_new(BOOK, client_ref, reference, record)

    def write_new(self, kind: str, client_ref: str, reference: str, record: Record) -> None:
        """The first write to a booking, which may be made by another kind of call. Raises Rejected as above."""
        try:
            self.store.add(Write(kind, client_ref, reference, 0, to_json(record)))
        except AlreadyWrittenError as error:
            raise Rejected("duplicate reference") from error

    def write_next(self, kind: str, client_ref: str, reference: str, sequence: int, record: Record) -> None:
        """A write to a standing booking; of two at once the slower finds the booking no longer what it was: NotPossible."""
        try:
            self.store.add(Write(kind, client_ref, reference, sequence, to_json(record)))
        except AlreadyWrittenError as error:
            raise NotPossible("the booking was changed in the meantime") from error


def percent(cents: int, share: int) -> int:
    return (cents * share + 50) // 100


_RATES = """
    EUR 1  AED 4.2  ALL 98  AMD 420  ARS 1450  AUD 1.72  AZN 1.95  BAM 1.956  BDT 138  BHD 0.43
    BOB 7.9  BRL 6.3  BWP 15.5  CAD 1.58  CHF 0.94  CLP 1080  CNY 8.2  COP 4700  CRC 580  CZK 24.6
    DKK 7.46  DOP 70  DZD 151  EGP 56  ETB 160  FJD 2.6  GBP 0.85  GEL 3.1  GHS 13  GTQ 8.8  HKD 8.9
    HNL 29  HUF 398  IDR 18600  ILS 4.0  INR 98  IQD 1500  ISK 143  JMD 182  JOD 0.81  JPY 164
    KES 148  KHR 4600  KRW 1560  KWD 0.35  KZT 600  LBP 102000  LKR 340  MAD 10.6  MDL 19.6  MKD 61.5
    MNT 4000  MUR 52  MXN 21.4  MYR 4.9  NAD 20.6  NGN 1750  NOK 11.7  NPR 157  NZD 1.93  OMR 0.44
    PEN 4.1  PHP 65  PKR 320  PLN 4.28  PYG 8200  QAR 4.15  RON 5.0  RSD 117  RUB 95  RWF 1650
    SAR 4.28  SEK 11.2  SGD 1.49  THB 37.6  TND 3.4  TRY 46  TWD 34.8  TZS 2900  UAH 48  UGX 4100
    USD 1.14  UYU 46  UZS 14400  VND 29500  XAF 656  XOF 656  XPF 119  ZAR 20.6  ZMW 27
"""
RATES = {code: Decimal(rate) for code, rate in zip(*[iter(_RATES.split())] * 2, strict=True)}
"""Units for one euro, fixed so that the same request prices the same."""


def from_euro_cents(cents: int, currency: str) -> int:
    """Euro cents in minor units of `currency`, one at least. A currency without a rate counts as a euro."""
    euros = money.to_major(cents, "EUR")
    return max(1, money.to_cents(euros * RATES.get(currency, Decimal(1)), currency))
