"""Whether a booking has a document, the document of one booking or of a trip, and its file."""

import re
from base64 import b64encode
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any

from apps.accounts.branding import branding_of
from apps.accounts.models import Account
from apps.bookings.models import OPEN_STATES, Booking, Operation, OperationKind, OperationState, Product
from apps.bookings.travellers import is_redacted, opened
from apps.common import errors
from apps.common.environments import Environment
from apps.documents.asked import Asked, Form, Kind, Prices
from apps.documents.common import Draft, Payment, Subject, composed, seller_section
from apps.documents.data import Document, Section, Seller, filled, rows, table
from apps.documents.html import html, policy
from apps.documents.pdf import one_at_a_time, pdf
from apps.documents.products import esim, flights, hotels, transfers
from apps.documents.words import Words, joined, words_in

PDF, HTML = "application/pdf", "text/html"
DRAFTS = {
    Product.HOTEL: hotels.draft,
    Product.FLIGHT: flights.draft,
    Product.TRANSFER: transfers.draft,
    Product.ESIM: esim.draft,
}
ALTERING = OperationKind.CHANGE, OperationKind.CANCEL
"""While the outcome of one of them is not known, it is not known either what the travellers are to hold."""


# --- Whether there is one -------------------------------------------------------------------------------------------------
def has_documents(status: str) -> bool:
    """Whether a booking in this state can have any."""
    return status == Booking.CANCELLED or (status in Booking.STANDING and status != Booking.ON_HOLD)


def kinds_of(booking: Booking) -> list[Kind]:
    """Those that it has in its state, whatever is under way."""
    opened(booking)
    if is_redacted(booking) or not has_documents(booking.status) or nothing_was_paid(booking):
        return []
    return (
        [Kind.RECEIPT]
        if booking.status == Booking.CANCELLED
        else [Kind.VOUCHER, Kind.ITINERARY, Kind.RECEIPT]
    )


def refuse_without(booking: Booking, asked: Asked) -> None:
    """Raises TravellersForgotten, or Conflict for a booking that has no such document."""
    refuse_forgotten(booking)
    if not has_documents(booking.status):
        raise errors.Conflict(
            f"The booking is {booking.status}: it has documents once it is confirmed.", ours=True
        )
    if booking.status == Booking.CANCELLED:
        if asked.kind != Kind.RECEIPT:
            raise errors.Conflict(
                f"The booking is cancelled: it has no {asked.kind}. Ask for type=receipt.", ours=True
            )
        if nothing_was_paid(booking):
            raise errors.Conflict("Nothing was paid for this booking: it has no receipt.", ours=True)
    refuse_unsold(booking, asked)
    refuse_altering([booking], asked)


def refuse_forgotten(booking: Booking) -> None:
    """Raises TravellersForgotten."""
    opened(booking)
    if is_redacted(booking):
        raise errors.TravellersForgotten


def refuse_unsold(booking: Booking, asked: Asked) -> None:
    """Raises Conflict where the price to print is not known."""
    if asked.prices == Prices.SOLD and booking.sold_for_cents is None:
        raise errors.Conflict(
            f"The booking {booking.reference} has no soldForCents, which prices=sold prints.", ours=True
        )


def refuse_altering(bookings: Collection[Booking], asked: Asked) -> None:
    """Raises Conflict for a voucher or an itinerary while a change or a cancellation is under way: it may be void at once. A
    receipt states what was paid so far.
    """
    if asked.kind == Kind.RECEIPT:
        return
    open_ones = Operation.objects.filter(
        booking__in=[booking.pk for booking in bookings], state__in=OPEN_STATES, kind__in=ALTERING
    )
    altering = set(open_ones.values_list("booking_id", flat=True))
    for booking in bookings:
        if booking.pk in altering or booking.details.get("change_under_way"):
            raise errors.Conflict(
                f"A change or a cancellation of the booking {booking.reference} is under way: ask again once it is decided.",
                ours=True,
            )


def nothing_was_paid(booking: Booking) -> bool:
    """Whether it was cancelled before it was paid for: neither kept nor returned."""
    stated: dict[str, Any] = booking.cancellation or {}
    return (
        booking.status == Booking.CANCELLED
        and booking.total_cents > 0
        and not (stated.get("penaltyCents") or stated.get("refundCents"))
    )


# --- Of one booking -------------------------------------------------------------------------------------------------------
def document_of(booking: Booking, asked: Asked) -> Document:
    ((about, draft),) = drafts([booking], asked)
    return composed(about, draft, seller_of(account_of(booking)))


def account_of(booking: Booking) -> Account:
    return Account.objects.select_related("sandbox_of").get(pk=booking.account_id)


def drafts(bookings: Collection[Booking], asked: Asked) -> list[tuple[Subject, Draft]]:
    words = words_in(asked.language)
    payments = payments_of(bookings) if asked.kind == Kind.RECEIPT else {}
    subjects = [Subject(booking, asked, words, payments.get(booking.pk)) for booking in bookings]
    return [(about, DRAFTS[Product(about.booking.product)](about)) for about in subjects]


def payments_of(bookings: Collection[Booking]) -> dict[str, Payment]:
    """When each was paid, and what for. The taxes of a price that was changed since are not known."""
    found = {booking.pk: Payment(booking.created_at, {}) for booking in bookings}
    done = Operation.objects.filter(booking__in=found, state=OperationState.CONFIRMED).order_by("pk")
    columns = ("booking_id", "kind", "request", "prepared", "resolved_at")
    for booking_id, kind, request, prepared, resolved_at in done.values_list(*columns):
        payment = found[booking_id]
        paid_at, quote = payment.paid_at, payment.quote
        if kind in (OperationKind.BOOK, OperationKind.PAY):
            paid_at = resolved_at or paid_at
        if kind == OperationKind.BOOK:
            quote = {**request, **prepared}
        elif kind in (OperationKind.CHANGE, OperationKind.SERVICES):
            quote = {}
        found[booking_id] = Payment(paid_at, quote)
    return found


# --- Of a trip ------------------------------------------------------------------------------------------------------------
def trip_document(trip: str, bookings: Sequence[Booking], asked: Asked) -> Document:
    """All that is to be said of these bookings, in the order in which their services begin: an overview, then each."""
    found = sorted(drafts(bookings, asked), key=by_begin)
    first, words = found[0][0], found[0][0].words
    pages = asked.kind == Kind.VOUCHER
    seller = seller_of(account_of(first.booking))
    each = replace(seller, logo="", emergency_phone=seller.emergency_phone if pages else "")
    title = words("vouchers") if pages else words(asked.kind.value)
    return Document(
        language=words.language,
        title=title,
        seller=seller,
        subject=days_of(words, [draft for _, draft in found]) or words("trip"),
        lines=(joined(dict.fromkeys(name for _, draft in found for name in draft.names)),),
        test=words("test") if first.booking.environment == Environment.TEST else "",
        references=rows((words("trip_reference"), trip)),
        sections=filled(
            (
                overview(words, found),
                sums(words, [about for about, _ in found]),
                *((seller_section(words, seller),) if asked.kind == Kind.ITINERARY else ()),
            )
        ),
        parts=tuple(part_of(about, composed(about, draft, each)) for about, draft in found),
        closing=words("receipt_closing") if asked.kind == Kind.RECEIPT else "",
        part_pages=pages,
        page=words("page"),
        name=joined((f"{asked.kind}-trip", re.sub("[^A-Za-z0-9]+", "-", trip).strip("-")), "-"),
    )


def by_begin(one: tuple[Subject, Draft]) -> tuple[bool, datetime]:
    """By the clocks of the places. A stay comes after what else begins on its first day: one arrives before one checks in. What
    has no day comes last.
    """
    about, draft = one
    return draft.begins_at is None, draft.begins_at or about.booking.created_at.replace(tzinfo=None)


def days_of(words: Words, found: Iterable[Draft]) -> str:
    days: list[date] = []
    for draft in found:
        days += (draft.begins_at.date(),) if draft.begins_at else ()
        days += (draft.ends_on,) if draft.ends_on else ()
    return " – ".join(dict.fromkeys(map(words.short_day, (min(days), max(days))))) if days else ""


def overview(words: Words, found: Iterable[tuple[Subject, Draft]]) -> Section:
    lines = [
        (
            words.short_day(draft.begins_at.date()) if draft.begins_at else "",
            words(about.booking.product),
            draft.subject,
            about.booking.reference,
        )
        for about, draft in found
    ]
    head = (words("date"), words("kind"), words("description"), words("reference"))
    return Section(words("overview"), tables=table(head, lines))


def sums(words: Words, found: Collection[Subject]) -> Section:
    """What all of it cost, and what came back: where prices are asked for, and all are in one currency."""
    totals = [about.shown_total for about in found if about.shown_total is not None]
    if len(totals) < len(found) or len({about.booking.currency for about in found}) > 1:
        return Section(words("price"))
    first = next(iter(found))
    net = first.asked.prices == Prices.NET
    back = sum((about.booking.cancellation or {}).get("refundCents", 0) for about in found)
    return Section(
        words("price"),
        rows=rows(
            (words("total_net") if net else words("total"), first.amount(sum(totals))),
            (words("refunded"), first.amount(back) if net and back else ""),
        ),
    )


def part_of(about: Subject, document: Document) -> Document:
    """Where the whole has the title and the last words of its kind, it is titled by what was booked."""
    if about.asked.kind == Kind.VOUCHER:
        return document
    return replace(document, title=about.words(about.booking.product), closing="")


# --- As a file ------------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class File:
    """The name in `disposition` is made of our own words and a reference: it needs no quoting."""

    content: bytes
    media_type: str
    headers: Mapping[str, str]


def file_of(make: Callable[[], Document], form: Form) -> File:
    """The document that `make` composes, as a file. Raises RateLimitExceeded where too many are set as PDF already."""
    if form == Form.PDF:
        with one_at_a_time():
            document = make()
            content = pdf(document)
        return File(content, PDF, {"Content-Disposition": f'attachment; filename="{document.name}.pdf"'})
    document = make()
    return File(
        html(document),
        f"{HTML}; charset=utf-8",
        {
            "Content-Disposition": f'inline; filename="{document.name}.html"',
            "Content-Security-Policy": policy(),
        },
    )


def seller_of(account: Account) -> Seller:
    """In whose name documents are made: the partner, also for one of its test environments. One query."""
    branding = branding_of(account)
    website = branding.website.removeprefix("https://").rstrip("/")
    address = branding.address.replace("\n", ", ")
    return Seller(
        name=branding.name or (account.sandbox_of or account).name,
        lines=tuple(filter(None, (address, branding.phone, branding.email, website))),
        logo=f"data:image/png;base64,{b64encode(branding.logo).decode()}" if branding.logo else "",
        emergency_phone=branding.emergency_phone,
    )
