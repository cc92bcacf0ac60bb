"""What the documents of all products have in common: head, references, terms, price, receipt."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, tzinfo
from typing import Any

from apps.bookings.models import Booking
from apps.common.environments import Environment
from apps.documents.asked import Asked, Kind, Prices
from apps.documents.data import Document, Row, Section, Seller, filled, rows, table
from apps.documents.words import Words, joined
from apps.suppliers import airports
from apps.suppliers.results import PenaltySteps

Lines = Iterable[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Draft:
    """What a product says of a booking: the same for each kind of document, of which each takes its part.

    `zone`: the clock that instants of the terms are written by, None where the place is not known. `names`: the travellers, the
    lead first. `desk`: what only a voucher has, after `sections`. `taxes`: parts of the total, each with its amount in words.
    `begins_at`, `ends_on`: when its first service begins and its last one ends, by the clock of the place; None for an eSIM.
    """

    subject: str
    bought: str
    sections: tuple[Section, ...]
    lines: tuple[str, ...] = ()
    references: tuple[Row, ...] = ()
    desk: tuple[Section, ...] = ()
    steps: PenaltySteps | None = None
    zone: tzinfo | None = None
    names: tuple[str, ...] = ()
    taxes: tuple[tuple[str, str], ...] = ()
    closing: str = ""
    credits: tuple[Row, ...] = ()
    begins_at: datetime | None = None
    ends_on: date | None = None


@dataclass(frozen=True, slots=True)
class Payment:
    """`quote`: what the booking was made with (`Operation.request`), empty where its price was changed since."""

    paid_at: datetime
    quote: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Subject:
    """A booking, as it is to be written about."""

    booking: Booking
    asked: Asked
    words: Words
    payment: Payment | None = None
    """For a receipt."""

    @property
    def quote(self) -> Mapping[str, Any]:
        return self.payment.quote if self.payment is not None else {}

    def amount(self, cents: int) -> str:
        return self.words.amount(cents, self.booking.currency)

    @property
    def shown_total(self) -> int | None:
        """The price that is printed, in minor units; None where none is."""
        if self.asked.prices == Prices.NET:
            return self.booking.total_cents
        return self.booking.sold_for_cents if self.asked.prices == Prices.SOLD else None


def composed(about: Subject, draft: Draft, seller: Seller) -> Document:
    """The document that was asked for, of what the product says."""
    booking, w, kind = about.booking, about.words, about.asked.kind
    parts = {
        Kind.VOUCHER: lambda: (
            *draft.sections,
            *draft.desk,
            terms_section(about, draft),
            price_section(about),
            seller_section(w, seller),
        ),
        Kind.ITINERARY: lambda: (*draft.sections, price_section(about), seller_section(w, seller)),
        Kind.RECEIPT: lambda: receipt_sections(about, draft),
    }[kind]()
    is_receipt, is_void = kind == Kind.RECEIPT, booking.status == Booking.CANCELLED
    status = w("cancelled") if is_void else w("paid") if is_receipt else w(booking.status)
    title = w(f"{booking.product}_voucher") if kind == Kind.VOUCHER else w(kind.value)
    return Document(
        language=w.language,
        title=title,
        seller=seller,
        subject=w("receipt") if is_receipt and not draft.subject else draft.subject,
        lines=draft.lines,
        status=status,
        is_void=is_void,
        test=w("test") if booking.environment == Environment.TEST else "",
        references=(
            *rows((w("reference"), booking.reference)),
            *draft.references,
            *rows(
                (w("agency_number"), booking.external_reference or ""),
                (w("booked_on"), w.short_day(booking.created_at.astimezone(draft.zone or UTC).date())),
            ),
        ),
        sections=filled(parts),
        closing=w("receipt_closing") if is_receipt else draft.closing if kind == Kind.VOUCHER else "",
        page=w("page"),
        name=f"{kind}-{booking.reference}",
    )


def seller_section(w: Words, seller: Seller) -> Section:
    """Whom travellers call on their way, beside whom a hotel or a driver names."""
    return Section(seller.name, rows=rows((w("emergency"), seller.emergency_phone)))


# --- Cancellation terms ---------------------------------------------------------------------------------------------------
def terms_section(about: Subject, draft: Draft) -> Section:
    """In sentences, from now on. Amounts of the partner's own terms are printed with net prices alone."""
    w = about.words
    notes = list(term_notes(about, draft)) if draft.steps is not None else []
    dated = draft.steps is not None and any(step.starts_at is not None for step in draft.steps)
    if notes and dated:
        notes.append(w("times_of_place") if draft.zone is not None else w("times_of_utc"))
    return Section(w("terms"), notes=tuple(notes))


def term_notes(about: Subject, draft: Draft) -> Iterable[str]:
    w, now = about.words, about.booking.now()
    costs, later = 0, []
    for step in draft.steps or ():
        if step.starts_at is None or step.starts_at <= now:
            costs = step.penalty_cents
        else:
            later.append((step.starts_at, step.penalty_cents))
    if costs:
        yield w("fee_now", fee=fee(about, costs))
    elif later:
        yield w("free_until", until=at_place(w, later[0][0], draft.zone))
    else:
        yield w("free")
    said = fee(about, costs) if costs else ""
    for begins, penalty in later:
        words = fee(about, penalty)
        if words != said:
            yield w("fee_from", begins=at_place(w, begins, draft.zone), fee=words)
        said = words


def fee(about: Subject, penalty_cents: int) -> str:
    if penalty_cents >= about.booking.total_cents:
        return about.words("fee_all")
    return about.amount(penalty_cents) if about.asked.prices == Prices.NET else about.words("fee_part")


def at_place(w: Words, instant: datetime, zone: tzinfo | None) -> str:
    return w.instant(instant.astimezone(zone or UTC))


# --- Prices and the receipt -----------------------------------------------------------------------------------------------
def price_section(about: Subject) -> Section:
    w, total = about.words, about.shown_total
    if total is None:
        return Section(w("price"))
    label = w("total_net") if about.asked.prices == Prices.NET else w("total")
    return Section(w("price"), rows=rows((label, about.amount(total))))


def receipt_sections(about: Subject, draft: Draft) -> tuple[Section, ...]:
    w, booking, total = about.words, about.booking, about.shown_total
    net = about.asked.prices == Prices.NET
    paid_at = about.payment.paid_at if about.payment is not None else booking.created_at
    lines = [] if total is None else [(draft.bought, about.amount(total))]
    taxes = table((w("taxes_in_total"), w("amount")), draft.taxes if net else (), amounts=True)
    payment = Section(
        w("payment"),
        rows=rows(
            ("" if lines else w("description"), "" if lines else draft.bought),
            (w("for_whom"), joined(draft.names, "\n")),
            (w("paid_on"), w.short_day(paid_at.astimezone(UTC).date())),
            (w("paid_by"), w("balance") if net else ""),
        ),
        tables=(*table((w("description"), w("amount")), lines, amounts=True), *taxes),
        notes=(w("paid_in_full"),),
    )
    return payment, refund_section(about, draft)


def refund_section(about: Subject, draft: Draft) -> Section:
    """What came back of a cancelled booking. Of what travellers paid only all or nothing is certain: the rest is between them and
    the seller.
    """
    w, cancelled = about.words, about.booking.cancellation
    if about.booking.status != Booking.CANCELLED or not cancelled:
        return Section(w("refund"))
    penalty, refund = int(cancelled["penaltyCents"]), int(cancelled["refundCents"])
    when = w.short_day(datetime.fromisoformat(cancelled["cancelledAt"]).date())
    outcome = "refunded_nothing" if not refund else "refunded_part" if penalty else "refunded_all"
    amounts: Lines = ()
    if about.asked.prices == Prices.NET:
        amounts = ((w("penalty"), about.amount(penalty)), (w("refunded"), about.amount(refund)))
    return Section(
        w("refund"),
        rows=(*rows((w("cancelled_on"), when), *amounts), *draft.credits),
        notes=(w(outcome),),
    )


# --- Places ---------------------------------------------------------------------------------------------------------------
def airport_city(code: str) -> str:
    """`Lisbon`, or the code where the airport is not known."""
    found = airports.find(code)
    return found.city or found.name if found is not None else code


def party(w: Words, *, adults: int, children: int = 0, infants: int = 0, ages: Iterable[int] = ()) -> str:
    """`2 adults, 1 child (aged 7)`."""
    young = w.count("children", children) if children else ""
    listed = ", ".join(map(str, ages))
    if young and listed:
        young = w("ages", children=young, ages=listed)
    return joined((w.count("adults", adults), young, w.count("infants", infants) if infants else ""))
