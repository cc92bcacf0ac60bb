"""Cancelling a booking from its page, once its cost was shown; and sending its events again."""

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse

from apps.bookings.models import Booking
from apps.bookings.services.cancel_for_member import KEY, cancel_for_member
from apps.common.errors import (
    Conflict,
    GatewayError,
    IdempotencyKeyInProgress,
    IdempotencyKeyReuse,
    UpstreamUnavailable,
)
from apps.keys.partner import Partner
from apps.ledger.models import MOST_CENTS
from apps.portal.bookings.views import BookingView
from apps.portal.context import PortalContext
from apps.portal.form_views import ObjectActionView
from apps.portal.templatetags.portal import amount
from apps.portal.webhooks.deliveries.words import tell_what_was_sent
from apps.webhooks.models import Delivery
from apps.webhooks.services.send_now import MOST_AT_ONCE, send_several

ASK_AGAIN = "Ask first what cancelling costs now."
UNDER_WAY = "It is being cancelled already. This page shows what becomes of it."
NOT_KNOWN = "The supplier's answer is not known yet. We find it out and cancel nothing twice; this page shows what becomes of it."


class CancelForm(forms.Form):
    """What the page with the cost gives back. `penalty` is what was shown, in minor units: it may not become more."""

    key = forms.RegexField(KEY, max_length=64)
    penalty = forms.IntegerField(min_value=0, max_value=MOST_CENTS)


class BookingCancelView(BookingView):
    def get(self, request: HttpRequest, booking_id: str) -> HttpResponse:
        return self.back(self.object_or_404(booking_id=booking_id))

    def post(self, request: HttpRequest, booking_id: str) -> HttpResponse:
        booking = self.object_or_404(booking_id=booking_id)
        form = CancelForm(request.POST)
        if not form.is_valid() or not KEY.fullmatch(form.cleaned_data["key"]):
            messages.error(request, ASK_AGAIN)
        else:
            self.cancel(booking, **form.cleaned_data)
        return self.back(booking)

    def cancel(self, booking: Booking, key: str, penalty: int) -> None:
        partner = partner_without_key(self.portal)
        try:
            cancelled = cancel_for_member(
                partner=partner, booking=booking, actor=self.actor, max_penalty_cents=penalty, key=key
            )
        except IdempotencyKeyReuse:
            messages.error(self.request, ASK_AGAIN)
        except IdempotencyKeyInProgress:
            messages.info(self.request, UNDER_WAY)
        except UpstreamUnavailable:
            messages.warning(self.request, NOT_KNOWN)
        except GatewayError as refused:
            messages.error(self.request, self.why(booking, refused))
        else:
            messages.success(self.request, in_words(cancelled))

    def why(self, booking: Booking, refused: GatewayError) -> str:
        now = refused.extras.get("penaltyCents")
        if isinstance(refused, Conflict) and isinstance(now, int):
            return (
                f"Cancelling now costs {amount(now, booking.currency)} {booking.currency}, more than was shown. "
                f"Nothing was cancelled. {ASK_AGAIN}"
            )
        return refused.message


def in_words(booking: Booking) -> str:
    said = booking.cancellation or {}
    cost, back = (
        f"{amount(int(said.get(name, 0)), booking.currency)} {booking.currency}"
        for name in ("penaltyCents", "refundCents")
    )
    return f"The booking is cancelled. It cost {cost}; {back} came back."


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
    """Sends every delivery of the booking's events once more."""

    def act(self, obj: Booking) -> HttpResponse:
        place = (self.portal.account_id, self.portal.environment)
        mine = Delivery.objects.filter(event__booking_id=obj.pk, account_id=place[0], environment=place[1])
        newest = list(mine.order_by("-created_at", "-id").values_list("pk", flat=True)[:MOST_AT_ONCE])
        if newest:
            tell_what_was_sent(self.request, send_several(*place, newest))
        else:
            messages.warning(self.request, "None of its events was sent to an endpoint.")
        return self.back(obj)
