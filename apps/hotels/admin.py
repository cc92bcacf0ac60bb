"""Corrections of names in the back office: staff record what the supplier said of those that nothing else decides."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from apps.accounts.actors import signed_in
from apps.accounts.models import User
from apps.common.back_office import DecisionAdmin, FirstChosen, Huge, Reason, Verdict, listed, page_of
from apps.common.environments import Environment
from apps.common.errors import GatewayError
from apps.hotels.models import CorrectionRequest, CorrectionStatus
from apps.hotels.services.correct_guest import decide_for_staff


class Standing(FirstChosen):
    """Those of live bookings that are open come first, the most urgent at the top."""

    title = "standing"
    parameter_name = "standing"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, str]]:
        return [("open", "Open"), ("overdue", "Overdue"), ("all", "All")]

    def queryset(
        self, request: HttpRequest, queryset: QuerySet[CorrectionRequest]
    ) -> QuerySet[CorrectionRequest]:
        if self.chosen() == "all" or request.GET.get("q"):
            return queryset
        still_open = queryset.filter(decided_at=None, booking__environment=Environment.LIVE)
        return still_open.filter(alerted_at__isnull=False) if self.chosen() == "overdue" else still_open


@admin.register(CorrectionRequest)
class CorrectionRequestAdmin(DecisionAdmin, Huge):
    """No name is shown: it is on the booking's page in the portal, whose readers are recorded."""

    refusals = (GatewayError,)
    list_display = ["reference", "supplier", "partner", "status", "is_certain", "requested_at", "due_at"]
    list_filter = [Standing]
    list_select_related = ["booking__account"]
    search_fields = [
        "client_ref__exact",
        "booking__reference__exact",
        "booking__supplier_reference__exact",
    ]
    search_help_text = "A whole reference: the correction's, the booking's or the supplier's"
    ordering = ["due_at"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[CorrectionRequest]:
        """Does not read what names travellers."""
        return super().get_queryset(request).defer("booking__details", "booking__cancellation")

    def has_decide_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("hotels.change_correctionrequest")

    @admin.display(description="booking", ordering="booking__reference")
    def reference(self, asked: CorrectionRequest) -> str:
        return asked.booking.reference

    @admin.display(description="supplier")
    def supplier(self, asked: CorrectionRequest) -> str:
        return asked.booking.supplier_name

    @admin.display(description="account")
    def partner(self, asked: CorrectionRequest) -> str:
        return f"{asked.booking.account} ({asked.booking.environment})"

    def heading(self, obj: CorrectionRequest) -> str:
        return f"Correction of a name in {obj.booking.reference}"

    def facts(self, request: HttpRequest, obj: CorrectionRequest) -> Sequence[tuple[str, object]]:
        booking = obj.booking
        said = (
            "It has the request" if obj.is_certain else ("Its response was lost: it may not have the request")
        )
        return [
            ("Status", obj.get_status_display()),
            ("What the supplier decided", said),
            ("Requested", at(obj.requested_at)),
            ("To be decided by", at(obj.due_at)),
            ("Staff alerted", at(obj.alerted_at)),
            ("Decided", at(obj.decided_at)),
            ("Booking", page_of(booking, f"{booking.reference}, {booking.status}")),
            ("Supplier", booking.supplier_name),
            ("Supplier's reference", booking.supplier_reference),
            ("Account", page_of(booking.account)),
            ("Environment", booking.environment),
            ("Operation", listed("bookings_operation", obj.client_ref, q=obj.client_ref)),
        ]

    def verdicts(self, request: HttpRequest, obj: CorrectionRequest) -> Sequence[Verdict]:
        if obj.decided_at is not None or not self.has_decide_permission(request):
            return []
        person = signed_in(request)
        return [
            Verdict(
                "done",
                "The hotel has the new name",
                "The booking shows the new name, and the partner gets an event.",
                partial(self._decide, obj, person, CorrectionStatus.DONE),
                form=Reason,
            ),
            Verdict(
                "not_done",
                "The name is not corrected",
                "The booking keeps the old name, and the partner gets an event. The partner may request it again.",
                partial(self._decide, obj, person, CorrectionStatus.NOT_DONE),
                form=Reason,
                grave=True,
            ),
        ]

    def _decide(
        self, asked: CorrectionRequest, person: User, status: CorrectionStatus, given: dict[str, Any]
    ) -> str:
        decide_for_staff(request=asked, status=status, decided_by=person)
        return f"Recorded: {status.label.lower()}."


def at(instant: Any) -> str:
    return f"{instant:%d %b %Y %H:%M:%S} UTC" if instant else ""
