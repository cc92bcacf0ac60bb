"""Other dates for a hotel booking, in the portal: the supplier's options with their price, and the button that takes one."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse

from apps.bookings.flow.members import KEY, new_key
from apps.bookings.models import Booking, Product
from apps.common.errors import GatewayError, InvalidRequest
from apps.common.ids import handles
from apps.gateway.requests import Caller
from apps.hotels.details import StayDetails
from apps.hotels.services.change import change_for_member
from apps.hotels.services.change_options import (
    FoundChanges,
    difference,
    find_change_options,
)
from apps.hotels.suppliers.base import Rate
from apps.ledger.models import MOST_CENTS
from apps.portal.bookings.actions import BookingView, OnceView, partner_without_key, stay_can_be_changed
from apps.portal.context import DEVELOPERS, FINANCE
from apps.portal.forms import FormView
from apps.portal.templatetags.portal import amount

SHOWN = 12


class DatesForm(forms.Form):
    check_in = forms.DateField(label="Check-in", widget=forms.DateInput(attrs={"type": "date"}))
    check_out = forms.DateField(label="Check-out", widget=forms.DateInput(attrs={"type": "date"}))


@dataclass(frozen=True, slots=True)
class Option:
    """A stay that the supplier offers, and what taking it does to the booking's money, in minor units."""

    rate: Rate
    change_id: str
    key: str
    difference_cents: int
    total_cents: int

    @property
    def back_cents(self) -> int:
        return -self.difference_cents


def options_in(booking: Booking, found: FoundChanges) -> list[Option]:
    """The cheapest first."""
    ids, options = handles("change", found.search_id, range(len(found.rates))), []
    for rate, change_id in list(zip(found.rates, ids, strict=True))[:SHOWN]:
        more = difference(booking, total_cents=rate.total_cents, penalty_cents=found.penalty_cents)
        options.append(Option(rate, change_id, new_key(), more, booking.total_cents + more))
    return options


class StayChangeView(FormView, BookingView):
    """A POST asks the supplier and changes nothing."""

    allowed_roles_to_post = DEVELOPERS | FINANCE
    template = "portal/bookings/change.html"
    form_class = DatesForm

    def initial(self) -> dict[str, Any]:
        if self.object.product != Product.HOTEL:
            return {}
        stay = StayDetails.of(self.object)
        return {"check_in": stay.check_in, "check_out": stay.check_out}

    def get(self, request: HttpRequest) -> HttpResponse:
        return super().get(request) if stay_can_be_changed(self.object) else self.back()

    def save(self, form: Any) -> HttpResponse:
        booking = self.object
        if not stay_can_be_changed(booking):
            return self.back()
        caller = Caller(partner_without_key(self.portal), "")
        try:
            found = find_change_options(caller=caller, booking=booking, **form.cleaned_data)
        except InvalidRequest:  # at a field of the form
            raise
        except GatewayError as refusal:
            form.add_error(None, refusal.message)
            return self.page(form, status=400)
        options = options_in(booking, found)
        return self.render(
            self.template,
            {
                **self.extra_context(),
                "form": form,
                "asked": True,
                "options": options,
                "penalty_cents": found.penalty_cents,
                "nights": (found.stay.check_out - found.stay.check_in) // timedelta(days=1),
            },
        )

    def extra_context(self) -> dict[str, Any]:
        return {"back": self.address()}


class ChosenOptionForm(forms.Form):
    """What an option's button gives back. `cents`: the booking's total as it was shown, which may not become more."""

    key = forms.RegexField(KEY, max_length=64)
    change_id = forms.CharField(max_length=128)
    cents = forms.IntegerField(min_value=0, max_value=MOST_CENTS)


class StayChangeConfirmView(OnceView):
    form_class = ChosenOptionForm
    ask_again = "Nothing was changed. Ask for the options again."
    under_way = "It is already being changed. This page shows the outcome."
    not_known = "The supplier's response is not known yet. We find out and book nothing twice; this page shows the outcome."

    def carry_out(self, key: str, change_id: str, cents: int) -> str:
        before = self.object.total_cents
        changed = change_for_member(
            partner=partner_without_key(self.portal),
            booking=self.object,
            actor=self.actor,
            change_id=change_id,
            max_total_cents=cents,
            key=key,
        )
        stay, more = StayDetails.of(changed), changed.total_cents - before
        cost = f"{amount(abs(more), changed.currency)} {changed.currency}"
        money = (
            f"It cost {cost} more."
            if more > 0
            else f"{cost} will be refunded."
            if more
            else "It cost nothing."
        )
        return f"The stay is now from {stay.check_in:%d %b %Y} to {stay.check_out:%d %b %Y}. {money}"

    def why(self, refused: GatewayError) -> str:
        now, currency = refused.extras.get("currentTotalCents"), self.object.currency
        if isinstance(now, int):
            return (
                f"With this stay the booking would cost {amount(now, currency)} {currency} by now. "
                "Nothing was changed; ask for the options again."
            )
        return refused.message
