"""What members do on the page of a booking: cancel, pay, correct a name, request a refund, send events again, erase, simulate."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.utils.timesince import timeuntil

from apps.bookings.erasure import erase_travellers, last_service
from apps.bookings.flow.cancel import cancel_for_member
from apps.bookings.flow.members import KEY, new_key
from apps.bookings.models import OPEN_STATES, Booking, Product
from apps.bookings.selectors import any_booking_of
from apps.bookings.travellers import travellers_of
from apps.common.errors import (
    Conflict,
    GatewayError,
    IdempotencyKeyInProgress,
    IdempotencyKeyReuse,
    InvalidRequest,
    NotFound,
    UpstreamUnavailable,
)
from apps.common.validators import name_fault
from apps.esim.details import AskedRefund, OrderDetails
from apps.esim.services.refunds import refuse_unless_refundable, request_for_member
from apps.esim.suppliers.base import REFUND_REASONS
from apps.flights.details import OrderDetails as FlightDetails
from apps.flights.services.pay import pay_for_member
from apps.hotels.details import GuestCorrection, StayDetails
from apps.hotels.rules import lead_guest
from apps.hotels.services.change_options import refuse_unless_changeable
from apps.hotels.services.correct_guest import correct_for_member, refuse_unless_correctable
from apps.keys.partner import Partner
from apps.ledger.models import MOST_CENTS
from apps.portal.bookings.timeline import BookingHistory
from apps.portal.context import OWNERS, PortalContext
from apps.portal.forms import ConfirmView, ObjectActionView, ObjectView, Question
from apps.portal.templatetags.portal import amount
from apps.portal.webhooks.deliveries import tell_what_was_sent
from apps.sandbox.simulate import What, simulate
from apps.webhooks.models import Delivery
from apps.webhooks.services.resend import MOST_AT_ONCE, send_several


class BookingView(ObjectView[Booking]):
    section = "bookings"

    name, find = "booking", staticmethod(any_booking_of)


@dataclass(frozen=True, slots=True)
class Hold:
    """An order that waits for its payment; `time_left` is in words, "" once the time to pay is over."""

    pay_by: datetime
    guaranteed_until: datetime | None
    time_left: str
    key: str

    @classmethod
    def of(cls, booking: Booking) -> "Hold | None":
        if booking.pay_by is None:
            return None
        now, guaranteed = booking.now(), FlightDetails.of(booking).price_guaranteed_until
        left = timeuntil(booking.pay_by, now) if booking.pay_by > now else ""
        return cls(booking.pay_by, guaranteed, left, new_key())


class ShownPriceForm(forms.Form):
    """What a page gives back with its button. `cents` is what was shown, in minor units: it may not become more."""

    key = forms.RegexField(KEY, max_length=64)
    cents = forms.IntegerField(min_value=0, max_value=MOST_CENTS)
    credit = forms.BooleanField(required=False)


class OnceView(BookingView, ObjectActionView[Booking], ABC):
    """A button whose action is done once for a page, however often it is clicked."""

    form_class: type[forms.Form] = ShownPriceForm
    ask_again: str
    under_way: str
    not_known: str

    def act(self) -> HttpResponse:
        form = self.form_class(self.request.POST)
        if not form.is_valid() or not KEY.fullmatch(form.cleaned_data["key"]):
            messages.error(self.request, self.what_is_wrong(form))
            return self.back()
        try:
            messages.success(self.request, self.carry_out(**form.cleaned_data))
        except IdempotencyKeyReuse:
            messages.error(self.request, self.ask_again)
        except IdempotencyKeyInProgress:
            messages.info(self.request, self.under_way)
        except UpstreamUnavailable:
            messages.warning(self.request, self.not_known)
        except GatewayError as refused:
            messages.error(self.request, self.why(refused))
        return self.back()

    @abstractmethod
    def carry_out(self, *args: Any, **given: Any) -> str:
        """What was done, in words, with what the form has. Raises GatewayError."""

    def what_is_wrong(self, form: forms.Form) -> str:
        """With a form that is invalid, or has no key of ours."""
        return self.ask_again

    def why(self, refused: GatewayError) -> str:
        return refused.message


class BookingCancelView(OnceView):
    ask_again = "Ask first what cancelling costs now."
    under_way = "It is already being cancelled. This page shows the outcome."
    not_known = "The supplier's response is not known yet. We find out and cancel nothing twice; this page shows the outcome."

    def carry_out(self, key: str, cents: int, credit: bool) -> str:
        cancelled = cancel_for_member(
            partner=partner_without_key(self.portal),
            booking=self.object,
            actor=self.actor,
            max_penalty_cents=cents,
            key=key,
            accept_airline_credit=credit,
        )
        return in_words(cancelled)

    def why(self, refused: GatewayError) -> str:
        now, currency = refused.extras.get("penaltyCents"), self.object.currency
        if isinstance(refused, Conflict) and isinstance(now, int):
            return (
                f"Cancelling now costs {amount(now, currency)} {currency}, more than was shown. "
                f"Nothing was cancelled. {self.ask_again}"
            )
        if "refundTo" in refused.extras:
            return "The airline refunds into its own credit. Nothing was cancelled: tick that the travellers agree."
        return refused.message


def in_words(booking: Booking) -> str:
    said = booking.cancellation or {}
    cost, back = (
        f"{amount(int(said.get(name, 0)), booking.currency)} {booking.currency}"
        for name in ("penaltyCents", "refundCents")
    )
    return f"The booking is cancelled. It cost {cost}; {back} came back."


class BookingPayView(OnceView):
    ask_again = "The order was not paid. Pay from this page, which shows its price."
    under_way = "It is already being paid. This page shows the outcome."
    not_known = "The airline's response is not known yet. We find out and pay nothing twice; this page shows the outcome."

    def carry_out(self, key: str, cents: int, credit: bool) -> str:
        paid = pay_for_member(
            partner=partner_without_key(self.portal),
            booking=self.object,
            actor=self.actor,
            max_total_cents=cents,
            key=key,
        )
        return f"The order is paid: {amount(paid.total_cents, paid.currency)} {paid.currency}."

    def why(self, refused: GatewayError) -> str:
        now, currency = refused.extras.get("currentTotalCents"), self.object.currency
        if isinstance(now, int):
            return (
                f"The order costs {amount(now, currency)} {currency} now. Nothing was paid; "
                "this page shows the new price in a minute."
            )
        return refused.message


class CorrectionForm(forms.Form):
    """Another name of the lead guest, under the rules of the API."""

    key = forms.RegexField(KEY, max_length=64)
    first_name = forms.CharField(max_length=255)
    last_name = forms.CharField(max_length=255)

    def clean_first_name(self) -> str:
        return refuse_bad_name(self.cleaned_data["first_name"])

    def clean_last_name(self) -> str:
        return refuse_bad_name(self.cleaned_data["last_name"])


def refuse_bad_name(name: str) -> str:
    if fault := name_fault(name):
        raise forms.ValidationError(fault)
    return name


class BookingCorrectView(OnceView):
    form_class = CorrectionForm
    ask_again = "Nothing was requested. Request it from this page, which shows the current name."
    under_way = "It has already been requested. This page shows the outcome."
    not_known = "The supplier could not be reached, or has not responded yet. This page shows whether the request was sent."

    def carry_out(self, key: str, first_name: str, last_name: str) -> str:
        correct_for_member(
            partner=partner_without_key(self.portal),
            booking=self.object,
            actor=self.actor,
            first_name=first_name,
            last_name=last_name,
            key=key,
        )
        return "The correction is requested from the supplier. This page shows the outcome."

    def what_is_wrong(self, form: forms.Form) -> str:
        """The first fault of a name: the page is not sent back with the form."""
        for field, label in (("first_name", "The first name"), ("last_name", "The last name")):
            if "key" not in form.errors and field in form.errors:
                return f"{label} is not valid: {form.errors[field][0]}"
        return self.ask_again

    def why(self, refused: GatewayError) -> str:
        if isinstance(refused, InvalidRequest):
            return "That is the name that the booking has."
        return refused.message


@dataclass(frozen=True, slots=True)
class Correction:
    """The newest correction of the lead guest's name, and the form for the next one where it can be asked for."""

    newest: GuestCorrection | None
    may_ask: bool
    key: str
    first_name: str = ""
    last_name: str = ""

    @classmethod
    def of(cls, booking: Booking) -> "Correction | None":
        if booking.product != Product.HOTEL:
            return None
        details = StayDetails.of(booking)
        try:
            refuse_unless_correctable(booking)
        except Conflict:
            return cls(details.correction, False, "") if details.correction else None
        lead = details.guests[lead_guest(details.guests)]
        return cls(details.correction, True, new_key(), lead.first_name, lead.last_name)


class RefundForm(forms.Form):
    """Why an eSIM is to be refunded, under the rules of the API."""

    key = forms.RegexField(KEY, max_length=64)
    reason = forms.ChoiceField(choices=[(name, name) for name in REFUND_REASONS])
    notes = forms.CharField(max_length=255, required=False, empty_value=None)

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if given.get("reason") == "other" and not given.get("notes") and "notes" not in self.errors:
            self.add_error("notes", "is required because the reason is other")
        return given


class BookingRefundView(OnceView):
    form_class = RefundForm
    ask_again = "Nothing was requested. Choose a reason on this page."
    under_way = "It has already been requested. This page shows the outcome."
    not_known = "The supplier could not be reached, or has not responded yet. This page shows whether the request was sent."

    def carry_out(self, key: str, reason: str, notes: str | None) -> str:
        request_for_member(
            partner=partner_without_key(self.portal),
            order=self.object,
            actor=self.actor,
            reason=reason,
            notes=notes,
            key=key,
        )
        return "The refund is requested from the supplier. This page shows the outcome."

    def what_is_wrong(self, form: forms.Form) -> str:
        if "key" not in form.errors and "notes" in form.errors:
            return f"The notes are not valid: {form.errors['notes'][0]}"
        return self.ask_again


@dataclass(frozen=True, slots=True)
class Refund:
    """The newest refund request of an eSIM, and the form for the next one where it can be asked for."""

    newest: AskedRefund | None
    may_ask: bool
    key: str = ""
    reasons: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, booking: Booking) -> "Refund | None":
        details = OrderDetails.of(booking) if booking.product == Product.ESIM else None
        if details is None or details.top_up_of is not None:
            return None
        try:
            refuse_unless_refundable(booking)
        except Conflict:
            return cls(details.refund, False) if details.refund else None
        words = tuple((name, name.replace("_", " ").capitalize()) for name in REFUND_REASONS)
        return cls(details.refund, True, new_key(), words)


def stay_can_be_changed(booking: Booking) -> bool:
    if booking.product != Product.HOTEL:
        return False
    try:
        refuse_unless_changeable(booking)
    except Conflict:
        return False
    return True


def partner_without_key(portal: PortalContext) -> Partner:
    """The account as the services of bookings know it, when a member acts and no key."""
    account, owner = portal.account, portal.account.pk
    return Partner(
        account_id=portal.account_id,
        account_status=portal.status,
        key_id="",
        environment=portal.environment,
        scopes=frozenset(),
        allowed_ips=(),
        currency=account.currency,
        markup_bp=account.markup_bp,
        clock_offset=portal.place.clock_offset,
        owner_id="" if portal.account_id == owner else owner,
    )


class BookingResendView(BookingView, ObjectActionView[Booking]):
    def act(self) -> HttpResponse:
        place = self.portal.stored
        mine = Delivery.objects.filter(
            event__booking_id=self.object.pk, account_id=place[0], environment=place[1]
        )
        newest = list(mine.order_by("-created_at", "-id").values_list("pk", flat=True)[:MOST_AT_ONCE])
        if newest:
            tell_what_was_sent(self.request, send_several(*place, newest))
        else:
            messages.warning(self.request, "None of its events was sent to an endpoint.")
        return self.back()


class EraseView(BookingView, ConfirmView[Booking]):
    allowed_roles = allowed_roles_to_post = OWNERS

    def question(self) -> Question:
        return Question(
            heading="Erase the travellers?",
            warning=f"Names, birth dates and contacts of {self.object.reference} are destroyed.",
            consequences=[
                "It cannot be undone. In backups they are destroyed with the next change of our keys.",
                "The booking, its money and its events stay. The API then returns it with redacted: true.",
                "The supplier is not informed. What it stores is between you and the supplier.",
            ],
            button="Erase the travellers",
        )

    def save(self, form: forms.Form) -> HttpResponse:
        if not erase_travellers(booking=self.object, erased_by=self.actor):
            messages.info(self.request, "The travellers were erased before.")
            return self.back()
        return self.done("The travellers are erased.")


def may_be_erased(history: BookingHistory) -> bool:
    booking = history.booking
    if booking.erased_at is not None or travellers_of(booking.product) is None:
        return False
    under_way = any(operation.state in OPEN_STATES for operation in history.operations)
    if booking.status == Booking.PENDING or under_way or history.settlements:
        return False
    return last_service(booking) <= booking.now()


DONE = {
    What.SUPPLIER_CANCELS: "The supplier has cancelled it.",
    What.AIRLINE_MOVES: "The airline has moved the first flight.",
    What.SUPPLIER_CHANGES: "The supplier has altered it.",
    What.SETTLES: "What was open is settled.",
    What.NOT_MADE: "It turned out not to exist.",
}


class SimulateView(BookingView, ObjectActionView[Booking]):
    def act(self) -> HttpResponse:
        what = self.request.POST.get("what", "")
        if what not in What.values:
            raise NotFound
        try:
            simulate(self.object, what)
        except NotFound:
            raise
        except GatewayError as refused:
            messages.error(self.request, refused.message)
        else:
            messages.success(self.request, DONE[What(what)])
        return self.back()
