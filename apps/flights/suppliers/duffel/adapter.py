"""Duffel as a flight supplier (its API v2): our promise, kept in their steps."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace

from django.conf import settings

from apps.common import clock
from apps.flights.suppliers.base import (
    PAID,
    PAYMENT_PENDING,
    AddServices,
    Cancellation,
    ChangeOption,
    ChangeSearch,
    ChosenService,
    FlightOffer,
    FlightOrder,
    FlightSearch,
    FlightService,
    OrderRequest,
    Passenger,
    Payment,
    SeatMap,
    on_sale,
    price_of,
)
from apps.flights.suppliers.duffel import changes, holds, mapping, services
from apps.flights.suppliers.duffel.client import (
    LOOK_UP_FIRST,
    NAME,
    PRICE_MOVED,
    UNKNOWN_LOYALTY,
    Data,
    DuffelCall,
    DuffelClient,
    Refusal,
    outcome_of,
    outcomes,
)
from apps.suppliers.alerts import alert
from apps.suppliers.errors import (
    Expired,
    InvalidField,
    Missing,
    NotPossible,
    OutcomeUnknown,
    PriceChanged,
    Rejected,
    ServiceGone,
    SupplierError,
    Unavailable,
)
from apps.suppliers.models import AlertKind
from apps.suppliers.results import AirlineCredit, Found

BOOKED_WITHOUT_DETAILS, ACCEPTED = 200, 202


@contextmanager
def in_doubt(doubt: str) -> Iterator[None]:
    """Around the reading of what a write did: where it cannot be read, the outcome is unknown."""
    try:
        yield
    except SupplierError as error:
        raise OutcomeUnknown(doubt) from error


class DuffelFlights:
    """Fulfils FlightSupplier.

    Amounts to pay are those that Duffel named, kept as text in `supplier_data`; the cents that values carry are for the partner.
    """

    name = NAME

    def __init__(self, client: DuffelClient, *, vouchers_taken: bool = False) -> None:
        self.client = client
        self.vouchers_taken = vouchers_taken

    # --- Before an order ----------------------------------------------------------------------------------------

    def search(self, request: FlightSearch) -> Found[FlightOffer]:
        """Where their search itself is not found, they are away: there is nothing that the partner could have named wrongly."""
        try:
            with outcomes(DuffelCall.READ):
                answer = self.client.search(mapping.search_body(request))
                return mapping.best(answer, request)
        except Missing as error:
            raise Unavailable(str(error)) from error
        except NotPossible as error:  # no order's state is to blame
            raise Rejected(str(error)) from error

    def reprice(self, offer: FlightOffer) -> FlightOffer:
        """Raises Expired also for an offer that can no longer be sold here."""
        with outcomes(DuffelCall.OFFER):
            return self._sold_now(offer, self.client.offer(offer.supplier_data["offer_id"]))

    def _sold_now(self, offer: FlightOffer, data: Data) -> FlightOffer:
        with outcomes(DuffelCall.OFFER):
            if mapping.reason_withheld(data, documents=offer.document_required):
                raise Expired("the offer is not sold through us")
            now = mapping.offer(data, offer.cabin)
        if now.currency != offer.supplier_data["currency"]:
            raise Expired("the currency is not the one that was quoted")
        return replace(
            offer,
            total_cents=now.total_cents,
            currency=now.currency,
            conditions=now.conditions,
            base_cents=now.base_cents,
            tax_cents=now.tax_cents,
            pay_by=now.pay_by,
            price_guaranteed_until=now.price_guaranteed_until,
            supplier_data={**offer.supplier_data, **now.supplier_data},
        )

    def objections(self, passengers: tuple[Passenger, ...]) -> list[InvalidField]:
        return list(mapping.objections(passengers))

    # --- Bags and seats -----------------------------------------------------------------------------------------

    def services(self, offer: FlightOffer) -> list[FlightService]:
        with outcomes(DuffelCall.OFFER):
            data = self.client.offer_with_services(offer.supplier_data["offer_id"])
            return self._listed(offer, data)

    def seat_maps(self, offer: FlightOffer) -> list[SeatMap]:
        with outcomes(DuffelCall.OFFER):
            return self._maps(offer, self.client.offer(offer.supplier_data["offer_id"]))

    def reprice_services(
        self, offer: FlightOffer, chosen: tuple[ChosenService, ...]
    ) -> tuple[FlightOffer, tuple[ChosenService, ...]]:
        """The seat maps are read only for a seat that was chosen from one."""
        with outcomes(DuffelCall.OFFER):
            data = self.client.offer_with_services(offer.supplier_data["offer_id"])
            now = self._sold_now(offer, data)
            sold = self._listed(offer, data)
            if any(services.is_on_map(one) for one in chosen):
                sold += services.of_maps(self._maps(offer, data))
        return now, on_sale(chosen, sold)

    def _listed(self, offer: FlightOffer, data: Data) -> list[FlightService]:
        return list(
            services.sold(
                data.get("available_services"),
                services.party_of(offer),
                services.flights_of(data["slices"]),
                offer.supplier_data["currency"],
            )
        )

    def _maps(self, offer: FlightOffer, data: Data) -> list[SeatMap]:
        return list(
            services.seat_maps(
                self.client.seat_maps(offer.supplier_data["offer_id"]),
                services.party_of(offer),
                services.flights_of(data["slices"]),
                offer.supplier_data["currency"],
            )
        )

    def order_services(self, request: AddServices) -> list[FlightService]:
        _, sold = self._still_sold(request)
        return sold

    def prepare_services(self, request: AddServices) -> tuple[tuple[ChosenService, ...], tuple[str, ...]]:
        order, sold = self._still_sold(request)
        with outcomes(DuffelCall.READ):
            before = tuple(sorted(services.names_of(order)))
        return on_sale(request.services, sold), before

    def _still_sold(self, request: AddServices) -> tuple[Data, list[FlightService]]:
        """The order, and the bags that can be added to it."""
        with outcomes(DuffelCall.READ):
            order = self.client.order(request.supplier_reference)
            if order.get("cancelled_at") is not None:
                raise NotPossible("The order is cancelled.")
            try:
                listed = self.client.order_services(request.supplier_reference)
            except Refusal as refusal:
                if refusal.code in services.NOT_ADDED:
                    raise NotPossible("The airline adds nothing to this order.") from refusal
                raise
            return order, list(
                services.sold(
                    listed,
                    services.travellers_of(order, request.passengers),
                    services.flights_of_order(order, request.slices),
                    order["total_currency"],
                )
            )

    def add_services(self, request: AddServices) -> FlightOrder:
        currency = request.services[0].service.currency
        with outcomes(DuffelCall.SERVICES):
            try:
                data = self.client.add_services(
                    request.supplier_reference,
                    services.addition(request.services, currency),
                    client_ref=request.client_ref,
                )
            except Refusal as refusal:
                raise self._why_not_added(refusal, request) from refusal
            return self._order(data, final=True)

    def _why_not_added(self, refusal: Refusal, request: AddServices) -> SupplierError:
        """It was refused: what cannot be read now leaves no doubt about that."""
        if refusal.code in services.NOT_ADDED:
            return NotPossible("The airline adds nothing to this order.")
        is_gone = refusal.code in services.GONE and refusal.status != 404
        if not is_gone and refusal.code not in PRICE_MOVED:
            return outcome_of(refusal)
        now = request.services
        try:
            now, _ = self.prepare_services(request)
        except ServiceGone as error:
            return error
        except SupplierError:
            pass
        return services.gone(now) if is_gone else PriceChanged(price_of(now))

    def find_services(self, request: AddServices) -> FlightOrder | None:
        """By what the order has beyond what it had before: a purchase has no name of ours there."""
        with outcomes(DuffelCall.READ):
            order = self.client.order(request.supplier_reference)
            bought = services.has_bought(order, request.services, request.before)
            if bought is None:
                raise Unavailable("the order has only a part of the services")
            return self._order(order) if bought else None

    # --- Orders -------------------------------------------------------------------------------------------------

    def book(self, request: OrderRequest) -> FlightOrder:
        """Raises OutcomeUnknown for an order that was only accepted: its end comes by webhook, or is found by look-up."""
        with outcomes(DuffelCall.READ):  # until it is sent
            body = mapping.order_body(request)
            if request.services:
                body = services.with_services(body, request)
        with outcomes(DuffelCall.ORDER):
            try:
                status, data = self.client.create_order(body, client_ref=request.client_ref)
            except Refusal as refusal:
                return self._order_in_spite_of(refusal, request)
            if status == ACCEPTED:
                raise OutcomeUnknown("accepted; whether it is booked comes later")
            order = self._booked(status, data)
        self._compare_price(order, request)
        return order

    def _booked(self, status: int, data: Data) -> FlightOrder:
        """A 201 is all there is to come; of a 200 the details may be there a moment later, or not yet.

        It is booked for certain: whatever this reading ends in, the look-up reads it again.
        """
        order = self._order(data, final=status != BOOKED_WITHOUT_DETAILS)
        if order.issued or status != BOOKED_WITHOUT_DETAILS:
            return order
        with suppress(SupplierError):
            return self.read_order(order.supplier_reference)
        return order

    def _order_in_spite_of(self, refusal: Refusal, request: OrderRequest) -> FlightOrder:
        """Our own order, where an earlier one stands in the way. Raises what the refusal means."""
        if refusal.code in LOOK_UP_FIRST:
            with in_doubt("an earlier order may be ours"):
                found = self.find_order(request.client_ref, request.offer)
            if found is not None:
                return found
        if request.services and refusal.code in services.GONE:
            raise self._what_is_gone(request)
        if refusal.code in PRICE_MOVED:
            raise PriceChanged(self._price_now(request))
        error = outcome_of(refusal)
        if (
            refusal.code == UNKNOWN_LOYALTY
            and isinstance(error, InvalidField)
            and error.field == "passengers"
        ):
            raise InvalidField(mapping.account_holder(request.passengers), error.message)
        raise error

    def _price_now(self, request: OrderRequest) -> int:
        if not request.services:
            return self.reprice(request.offer).total_cents
        offer, chosen = self.reprice_services(request.offer, request.services)
        return offer.total_cents + price_of(chosen)

    def _what_is_gone(self, request: OrderRequest) -> SupplierError:
        """The refusal names no service: which one it is shows when they are read again, where it is not the offer itself."""
        try:
            self.reprice_services(request.offer, request.services)
        except (ServiceGone, Expired) as error:
            return error
        except SupplierError:
            pass
        return services.gone(request.services)

    def _compare_price(self, order: FlightOrder, request: OrderRequest) -> None:
        """Notifies staff if more was charged than was sent."""
        kept = request.offer.supplier_data
        sent = services.amount_of(request.services, kept["currency"], kept["amount"])
        if order.currency != kept["currency"] or order.total_cents > mapping.cents(sent, kept["currency"]):
            alert(NAME, AlertKind.PRICE_ABOVE_QUOTE, f"{request.client_ref} {order.supplier_reference}")

    def find_order(self, client_ref: str, offer: FlightOffer) -> FlightOrder | None:
        """Orders cannot be searched by our reference, but by their offer; ours is the one that bears it. Of several, which must
        not be, the first that stands.
        """
        with outcomes(DuffelCall.READ):
            orders = self.client.orders_of_offer(offer.supplier_data["offer_id"])
            ours = [data for data in orders if (data.get("metadata") or {}).get("reference") == client_ref]
            if len(ours) > 1:
                alert(NAME, AlertKind.DUPLICATE_REFERENCE, client_ref)
            ours.sort(key=lambda data: data.get("cancelled_at") is not None)
            return self._order(ours[0]) if ours else None

    def read_order(self, supplier_reference: str) -> FlightOrder:
        with outcomes(DuffelCall.READ):
            return self._order(self.client.order(supplier_reference))

    def _order(self, data: Data, *, final: bool = False) -> FlightOrder:
        """Alerts staff where the airline removed flights and added none: whether Duffel shows that so, or as a cancelled order,
        is not documented, and its slices may still have them.
        """
        order = mapping.order(data, now=clock.now(), final=final)
        moved = changes.airline_changes_of(data)
        for change in moved:
            if change.taken is None and change.removed and not change.added:
                alert(
                    NAME,
                    AlertKind.UNKNOWN_ANSWER,
                    f"{order.supplier_reference}: {change.supplier_id} removes flights and adds none",
                )
        order = replace(order, airline_changes=moved, services=services.booked(data))
        return replace(order, cancellation=changes.cancellation_of(data)) if order.cancelled else order

    # --- Payments for orders on hold ----------------------------------------------------------------------------

    def prepare_payment(self, supplier_reference: str) -> Payment:
        with outcomes(DuffelCall.READ):
            return holds.payment_now(self.client.order(supplier_reference), clock.now())

    def pay(self, client_ref: str, supplier_reference: str, payment: Payment) -> FlightOrder:
        """One that was only accepted ends by webhook, or is found by look-up."""
        if not payment.is_paid:
            with outcomes(DuffelCall.PAY):
                body = holds.payment_body(supplier_reference, payment)
                try:
                    status, made = self.client.pay(body, client_ref=client_ref)
                except Refusal as refusal:
                    return self._paid_in_spite_of(refusal, supplier_reference)
                if status == ACCEPTED:
                    raise OutcomeUnknown("accepted; whether it is paid comes later")
                if status != BOOKED_WITHOUT_DETAILS:
                    holds.refuse_unpaid(made)
        return self._read_paid(supplier_reference)

    def _paid_in_spite_of(self, refusal: Refusal, supplier_reference: str) -> FlightOrder:
        """`already paid` may be the answer that was lost. Raises what the refusal means."""
        if refusal.code == "already_paid":
            return self._read_paid(supplier_reference)
        if refusal.code in PRICE_MOVED:
            # It was refused: a price that cannot be read leaves no doubt about that.
            raise PriceChanged(self.prepare_payment(supplier_reference).total_cents)
        raise holds.refused(refusal)

    def _read_paid(self, supplier_reference: str) -> FlightOrder:
        """Whatever the reading ends in, the look-up reads it again."""
        with in_doubt("paid, but not read"):
            order = self.read_order(supplier_reference)
        if order.payment != PAID:
            raise OutcomeUnknown("paid, and the order does not show it yet")
        return order

    def find_payment(self, client_ref: str, supplier_reference: str, payment: Payment) -> FlightOrder | None:
        """By the order, and by the list of its payments, because the order may be behind it."""
        order = self.read_order(supplier_reference)
        if order.payment == PAID:
            return order
        with outcomes(DuffelCall.READ):
            if order.payment != PAYMENT_PENDING and holds.none_succeeds(
                self.client.payments(supplier_reference)
            ):
                return None
        raise Unavailable("a payment is in progress")

    # --- Changes ------------------------------------------------------------------------------------------------

    def change_options(self, request: ChangeSearch) -> Found[ChangeOption]:
        with outcomes(DuffelCall.READ):
            order = self.client.order(request.supplier_reference)
            changes.require("change", order)
            found = self.client.change_offers(changes.request_body(request, order))
            return changes.options(found, currency=order["total_currency"])

    def prepare_change(self, supplier_reference: str, option: ChangeOption) -> ChangeOption:
        """The first of two steps: a pending change, whose id is known, and so can be kept, before it is confirmed. It is read
        again, because its price may move, and what is confirmed must be paid to the cent.
        """
        try:
            with outcomes(DuffelCall.CHANGE_OFFER):
                taken_up = self.client.take_up_change(option.supplier_data["change_offer_id"])
                pending = self.client.order_change(mapping.word(taken_up["id"]))
                return changes.taken_up(option, pending)
        except Missing as error:
            raise Expired("the pending change is gone") from error

    def change(self, client_ref: str, supplier_reference: str, option: ChangeOption) -> FlightOrder:
        change_id = option.supplier_data["change_id"]
        with outcomes(DuffelCall.CONFIRM):
            try:
                confirmed = self.client.confirm_change(
                    change_id, changes.payment_of(option), client_ref=client_ref
                )
            except Refusal as refusal:
                return self._changed_in_spite_of(refusal, client_ref, supplier_reference, option)
            if confirmed.get("confirmed_at") is None:
                raise OutcomeUnknown("the change is not confirmed yet")
            return self._read_changed(supplier_reference)

    def _changed_in_spite_of(
        self, refusal: Refusal, client_ref: str, supplier_reference: str, option: ChangeOption
    ) -> FlightOrder:
        """`already actioned` may be the answer that was lost. Raises what the refusal means."""
        if refusal.code == "order_change_already_actioned":
            with in_doubt("the change may be ours"):
                found = self.find_change(client_ref, supplier_reference, option)
            if found is not None:
                return found
        if refusal.code in PRICE_MOVED:
            # It was refused: a price that cannot be read leaves no doubt about that.
            with outcomes(DuffelCall.CHANGE_OFFER):
                pending = self.client.order_change(option.supplier_data["change_id"])
                raise PriceChanged(option.new_total_cents + changes.dearer_by(pending, option))
        raise outcome_of(refusal)

    def find_change(
        self, client_ref: str, supplier_reference: str, option: ChangeOption
    ) -> FlightOrder | None:
        """By the id of the pending change. One that Duffel no longer knows was never confirmed."""
        change_id = option.supplier_data.get("change_id")
        if change_id is None:
            return None
        try:
            with outcomes(DuffelCall.READ):
                change = self.client.order_change(change_id)
        except Missing:
            return None
        return self.read_order(supplier_reference) if change.get("confirmed_at") else None

    def _read_changed(self, supplier_reference: str) -> FlightOrder:
        """It is changed for certain: whatever the reading ends in, the look-up reads it again."""
        with in_doubt("changed, but not read"):
            return self.read_order(supplier_reference)

    # --- Changes by the airline ---------------------------------------------------------------------------------

    def accept_change(self, client_ref: str, supplier_reference: str, change_id: str) -> FlightOrder:
        with outcomes(DuffelCall.CONFIRM):
            try:
                done = self.client.accept_airline_change(change_id, client_ref=client_ref)
            except Refusal as refusal:
                return self._accepted_in_spite_of(refusal, client_ref, supplier_reference, change_id)
            if done.get("action_taken") != changes.ACCEPTED:
                raise OutcomeUnknown("the airline's change is not accepted yet")
        return self._read_changed(supplier_reference)

    def _accepted_in_spite_of(
        self, refusal: Refusal, client_ref: str, supplier_reference: str, change_id: str
    ) -> FlightOrder:
        """Their code for what was answered already is not documented: one look says whether it is accepted. No money depends on
        it. Raises NotPossible, or what the refusal means.
        """
        error = outcome_of(refusal)
        unlisted = isinstance(error, OutcomeUnknown) and refusal.status in (409, 422)
        if not unlisted and not isinstance(error, Rejected | Missing | NotPossible):
            raise error
        with in_doubt("the acceptance may be ours"):
            found = self.find_acceptance(client_ref, supplier_reference, change_id)
        if found is None:
            raise NotPossible("The airline no longer accepts a response to this change.") from error
        return found

    def find_acceptance(self, client_ref: str, supplier_reference: str, change_id: str) -> FlightOrder | None:
        with outcomes(DuffelCall.READ):
            listed = self.client.airline_changes(supplier_reference)
            accepted = changes.is_accepted(listed, change_id)
        return self.read_order(supplier_reference) if accepted else None

    # --- Cancellations ------------------------------------------------------------------------------------------

    def quote_cancellation(self, supplier_reference: str) -> Cancellation:
        with outcomes(DuffelCall.READ):
            order = self.client.order(supplier_reference)
            changes.require("cancel", order)
            quote = self.client.quote_cancellation(supplier_reference)
            return changes.quoted(quote, order, vouchers_taken=self.vouchers_taken)

    def cancel(self, client_ref: str, supplier_reference: str, quote: Cancellation) -> Cancellation:
        """A quote that went stale is replaced once, by one that costs no more; Expired where it costs more."""
        try:
            return self._confirm_cancellation(client_ref, supplier_reference, quote)
        except Expired:
            newer = self.quote_cancellation(supplier_reference)
            if not changes.costs_no_more(newer, quote):
                raise
            return self._confirm_cancellation(client_ref, supplier_reference, newer)

    def _confirm_cancellation(
        self, client_ref: str, supplier_reference: str, quote: Cancellation
    ) -> Cancellation:
        with outcomes(DuffelCall.CONFIRM):
            try:
                done = self.client.confirm_cancellation(
                    quote.supplier_data["cancellation_id"], client_ref=client_ref
                )
            except Refusal as refusal:
                return self._cancelled_in_spite_of(refusal, client_ref, supplier_reference, quote)
            if done.get("confirmed_at") is None:
                raise OutcomeUnknown("the cancellation is not confirmed yet")
            return self._done(client_ref, done, quote)

    def _cancelled_in_spite_of(
        self, refusal: Refusal, client_ref: str, supplier_reference: str, quote: Cancellation
    ) -> Cancellation:
        """`already cancelled` may be the answer that was lost. Raises what the refusal means."""
        if refusal.code == "already_cancelled":
            with in_doubt("the cancellation may be ours"):
                found = self._confirmed_cancellation(client_ref, quote)
            if found is not None:
                return found
        raise outcome_of(refusal)

    def find_cancellation(
        self, client_ref: str, supplier_reference: str, quote: Cancellation
    ) -> Cancellation | None:
        """By the id of its quote; or by the order, for a quote that was replaced at the last moment."""
        found = self._confirmed_cancellation(client_ref, quote)
        if found is not None:
            return found
        with outcomes(DuffelCall.READ):
            order = self.client.order(supplier_reference)
            if order.get("cancelled_at") is None:
                return None
            return self._done(client_ref, order.get("cancellation"), quote)

    def _confirmed_cancellation(self, client_ref: str, quote: Cancellation) -> Cancellation | None:
        try:
            with outcomes(DuffelCall.READ):
                data = self.client.cancellation(quote.supplier_data["cancellation_id"])
                return self._done(client_ref, data, quote) if data.get("confirmed_at") else None
        except Missing:
            return None

    def _done(self, client_ref: str, data: Data | None, quote: Cancellation) -> Cancellation:
        """At what was quoted, if not better; staff are notified if less was refunded."""
        if changes.returned(data, quote) < changes.promised(quote):
            alert(NAME, AlertKind.PRICE_ABOVE_QUOTE, f"{client_ref} {quote.supplier_data['cancellation_id']}")
        return changes.confirmed(data, quote)

    def airline_credits(self, supplier_reference: str) -> tuple[AirlineCredit, ...]:
        """As the order's cancellation lists them; what has no code there is read by itself."""
        with outcomes(DuffelCall.READ):
            listed = changes.known_credits(self.client.order(supplier_reference))
            return tuple(self._with_code(credit) for credit in listed)

    def _with_code(self, credit: AirlineCredit) -> AirlineCredit:
        if credit.code or not credit.supplier_id:
            return credit
        told = changes.credit_of(self.client.airline_credit(credit.supplier_id))
        return replace(credit, code=told.code, expires_on=told.expires_on or credit.expires_on)

    def order_of_credit(self, credit_id: str) -> str:
        """The order that an airline credit is of; "" where it is of none."""
        with outcomes(DuffelCall.READ):
            return mapping.text(self.client.airline_credit(credit_id).get("order_id")) or ""

    def prove(self) -> str:
        """What was proved. Raises Unavailable if the token is rejected or there is no answer."""
        with outcomes(DuffelCall.READ):
            self.client.airlines()
        return "live token accepted" if self.client.live else "test token accepted: what it sells is not real"


def duffel_flights() -> DuffelFlights:
    """The one that this deployment has a contract for."""
    credentials = settings.SUPPLIER_CREDENTIALS[NAME]
    client = DuffelClient(access_token=credentials["access_token"], base_url=credentials["base_url"])
    return DuffelFlights(client, vouchers_taken=credentials["cancel_into_vouchers"])
