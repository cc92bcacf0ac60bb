"""The back office's page on which staff have the travellers of a booking forgotten, as somebody has asked."""

from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse

from apps.accounts.actors import actor_of, signed_in
from apps.bookings.models import Booking
from apps.bookings.services.erase import erase_travellers
from apps.common.back_office import BackOffice, Verdict, Way
from apps.common.errors import GatewayError

ERASE = "admin:bookings_booking_erase"


class Confirmed(forms.Form):
    reference = forms.CharField(max_length=16, help_text="The reference of the booking, to confirm")


def erase_page(pages: BackOffice, request: HttpRequest, booking_id: str) -> HttpResponse:
    """For staff who may change bookings. Who asked for it is not kept here: that would be a traveller's name."""
    if not request.user.has_perm("bookings.change_booking"):
        raise PermissionDenied
    booking = Booking.objects.select_related("account").filter(pk=booking_id[:64]).first()
    if booking is None:
        raise Http404
    form = Confirmed(request.POST or None)
    if request.method == "POST" and form.is_valid():
        if form.cleaned_data["reference"].strip() == booking.reference:
            return carry_out(pages, request, booking)
        form.add_error("reference", "That is not its reference.")
    return page(pages, request, booking, form)


def carry_out(pages: BackOffice, request: HttpRequest, booking: Booking) -> HttpResponse:
    try:
        done = erase_travellers(booking=booking, erased_by=actor_of(signed_in(request)))
    except GatewayError as refused:
        messages.error(request, refused.message)
    else:
        said = "The travellers are erased." if done else "They were erased before."
        if done:
            pages.log_change(request, booking, said)
        messages.success(request, said)
    return redirect("admin:bookings_booking_change", booking.pk)


def page(pages: BackOffice, request: HttpRequest, booking: Booking, form: forms.Form) -> HttpResponse:
    verdict = Verdict(
        "erase",
        "Erase the travellers",
        "Names, birth dates and contacts are destroyed, and in backups with the next change of FIELD_ENCRYPTION_KEYS. It cannot "
        "be taken back, and the supplier is not told.",
        lambda _: "",
        grave=True,
    )
    facts: list[tuple[str, Any]] = [
        ("Account", booking.account),
        ("Environment", booking.environment),
        ("Status", booking.status),
        ("Erased", booking.erased_at),
    ]
    context = {
        **pages.admin_site.each_context(request),
        "title": f"Travellers of {booking.reference}",
        "opts": pages.opts,
        "original": booking,
        "facts": facts,
        "ways": [] if booking.erased_at is not None else [Way(verdict, form)],
        "history": reverse("admin:bookings_booking_history", args=[booking.pk]),
    }
    return TemplateResponse(request, "admin/decision.html", context)
