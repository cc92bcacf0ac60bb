"""Reads of transfer searches by the handles that partners hold, and of orders that resemble one that is looked up."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from apps.bookings.models import Booking, Product
from apps.bookings.trade_rules import refuse_unsold
from apps.common import clock, sql
from apps.common.errors import OfferExpired
from apps.common.ids import parse_handle
from apps.keys.partner import Partner
from apps.suppliers.registry import SIMULATOR
from apps.suppliers.results import NONE_WITHHELD, Withheld
from apps.suppliers.values import from_text
from apps.transfers.rules import service_of_offer
from apps.transfers.suppliers.base import TransferOffer
from apps.transfers.suppliers.base import TransferSearch as Request

# By hand, because the ORM takes several times as long to compile these as PostgreSQL to run them, and every order waits for the
# second. `request`, `offers` and `withheld` are JSON text.
SEARCH = """
SELECT id, created_at, expires_at, markup_bp, request, offers, withheld FROM transfers_transfersearch WHERE id = %s
"""

# NULL for an offer that the search did not find.
QUOTED = """
SELECT offers -> %(position)s::int, request, supplier_name FROM transfers_transfersearch
WHERE id = %(search)s AND account_id = %(account)s AND environment = %(environment)s AND expires_at > %(now)s
"""


@dataclass(frozen=True, slots=True)
class QuotedSearch:
    """A search as quoted to the partner, with its offers."""

    id: str
    created_at: datetime
    expires_at: datetime
    markup_bp: int
    request: Request
    offers: list[TransferOffer]
    withheld: Withheld = NONE_WITHHELD


def stored_search(search_id: str) -> QuotedSearch | None:
    """A search of any account; for the replay of its answer."""
    row = sql.one_row(SEARCH, [search_id])
    if row is None:
        return None
    *quoted, request, offers, withheld = row
    stored = (
        from_text(Request, request),
        from_text(list[TransferOffer], offers),
        from_text(Withheld, withheld),
    )
    return QuotedSearch(*(*quoted, *stored))


@dataclass(frozen=True, slots=True)
class QuotedTransfer:
    """An offer as quoted to the partner, with the request it answers. Its handle is `id`."""

    id: str
    request: Request
    offer: TransferOffer
    supplier_name: str


def quoted_transfer(partner: Partner, quote_id: str) -> QuotedTransfer:
    """Raises OfferExpired for a handle that is unknown, malformed, foreign or past its expiry, or whose pick-up has passed."""
    place = parse_handle(quote_id, "quote", "tsr")
    if place is None:
        raise OfferExpired
    search_id, position = place
    now = clock.now(partner)
    row = sql.one_row(
        QUOTED,
        {
            "search": search_id,
            "position": position,
            "account": partner.account_id,
            "environment": partner.environment,
            "now": now,
        },
    )
    if row is None or row[0] is None:
        raise OfferExpired
    found, request, supplier_name = row
    offer = from_text(TransferOffer, found)
    if offer.expires_at is not None and offer.expires_at <= now:
        raise OfferExpired
    searched = from_text(Request, request)
    refuse_unsold(service_of_offer(searched, offer), now)
    return QuotedTransfer(quote_id, searched, offer, supplier_name)


def like_orders(booking: Booking) -> tuple[str, ...]:
    """The supplier's references of the account's orders for the same time that were made around this one: none of them is this
    one.

    Empty for the simulator, which looks its orders up by our reference.
    """
    if booking.supplier_name == SIMULATOR:
        return ()
    day = timedelta(days=1)
    like = Booking.objects.filter(
        account_id=booking.account_id,
        environment=booking.environment,
        product=Product.TRANSFER,
        created_at__range=(booking.created_at - day, booking.created_at + day),
        details__search__outbound=booking.details["search"]["outbound"],
    ).exclude(supplier_reference="")
    return tuple(like.exclude(pk=booking.pk).values_list("supplier_reference", flat=True))


def belongs_to_another(booking: Booking, supplier_reference: str) -> bool:
    """Whether a real supplier's order is already stored as that of another booking."""
    stored = Booking.objects.filter(supplier_reference=supplier_reference).exclude(supplier_name=SIMULATOR)
    return stored.exclude(pk=booking.pk).exists()
