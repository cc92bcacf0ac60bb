"""The queue of requests for live keys in the back office: what each account has done on test, and the decision."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import (
    BooleanField,
    Exists,
    ExpressionWrapper,
    F,
    Func,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
)
from django.db.models.functions import Coalesce
from django.http import HttpRequest
from django.utils.timesince import timesince
from django_celery_beat.models import (
    ClockedSchedule,
    CrontabSchedule,
    IntervalSchedule,
    PeriodicTask,
    SolarSchedule,
)

from apps.accounts.actors import signed_in
from apps.accounts.live_approval import approve_live, refuse_live
from apps.accounts.models import Account, AccountAuditEntry, AuditAction, User
from apps.accounts.sandboxes import rows_of
from apps.bookings.models import Booking
from apps.common import clock
from apps.common.back_office import DecisionAdmin, Reason, Verdict, listed, page_of
from apps.common.environments import Environment
from apps.common.errors import GatewayError
from apps.portal.models import LiveKeyRequest
from apps.portal.production_access import steps_of
from apps.portal.sign_in.admin import AuthenticatorAdmin
from apps.portal.staff.accounts import PartnerAdmin
from apps.webhooks.models import Delivery, DeliveryStatus

__all__ = ["AuthenticatorAdmin", "LiveKeyRequestAdmin", "PartnerAdmin"]

# The schedule is in the settings. Staff have nothing to change there.
for _of_beat in (PeriodicTask, ClockedSchedule, CrontabSchedule, IntervalSchedule, SolarSchedule):
    admin.site.unregister(_of_beat)

DECISIONS: dict[str, str] = {AuditAction.ACCESS_APPROVED: "approved", AuditAction.ACCESS_REFUSED: "declined"}
TEST_BOOKINGS = (
    Booking.objects.filter(account__in=rows_of(OuterRef(OuterRef("pk"))), environment=Environment.TEST)
    .order_by()
    .annotate(made=Func(F("pk"), function="Count", output_field=IntegerField()))
    .values("made")
)
DELIVERED = Delivery.objects.filter(
    account__in=rows_of(OuterRef(OuterRef("pk"))),
    environment=Environment.TEST,
    status=DeliveryStatus.DELIVERED,
)


@admin.register(LiveKeyRequest)
class LiveKeyRequestAdmin(DecisionAdmin):
    refusals = (GatewayError, PermissionDenied)
    list_display = ["name", "asked", "note", "test_bookings", "webhook_verified", "renewal"]
    search_fields = ["=id", "name"]
    ordering = ["live_requested_at"]
    actions = ["approve"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[LiveKeyRequest]:
        """The open requests. Decided ones are in the audit trails of the accounts."""
        renews = ExpressionWrapper(Q(live_approved_until__isnull=False), BooleanField())
        open_: QuerySet[LiveKeyRequest] = (
            super().get_queryset(request).filter(live_requested_at__isnull=False)
        )
        shown = {
            "made": Coalesce(Subquery(TEST_BOOKINGS), 0),
            "delivered": Exists(DELIVERED),
            "renews": renews,
        }
        return open_.annotate(**shown)

    def has_decide_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("portal.change_livekeyrequest")

    @admin.display(description="since", ordering="live_requested_at")
    def asked(self, account: Any) -> str:
        return f"{timesince(account.live_requested_at, clock.now(), depth=1)} ago"

    @admin.display(description="note")
    def note(self, account: Any) -> str:
        text: str = account.live_request_note
        return text if len(text) <= 120 else f"{text[:119]}…"

    @admin.display(description="test bookings", ordering="made")
    def test_bookings(self, account: Any) -> int:
        return int(account.made)

    @admin.display(description="webhook verified", boolean=True, ordering="delivered")
    def webhook_verified(self, account: Any) -> bool:
        return bool(account.delivered)

    @admin.display(description="renewal", boolean=True, ordering="renews")
    def renewal(self, account: Any) -> bool:
        return bool(account.renews)

    @admin.action(description="Approve for 365 days", permissions=["decide"])
    def approve(self, request: HttpRequest, accounts: QuerySet[LiveKeyRequest]) -> None:
        person, approved = signed_in(request), 0
        for account in accounts:
            try:
                message = self._approve(account, person, {})
            except GatewayError as refused:  # decided by another person since the list was read
                said = self.decided(account.pk) or f"{account.name}: {refused}"
                self.message_user(request, said, messages.WARNING)
            else:
                self.log_change(request, account, message)
                approved += 1
        if approved:
            self.message_user(request, "Approved. The owners get a mail.", messages.SUCCESS)

    def facts(self, request: HttpRequest, obj: Any) -> Sequence[tuple[str, object]]:
        done = {step.title: step.done for step in steps_of(obj, clock.now())}
        return [
            ("Account", page_of(as_account(obj))),
            ("Status", obj.status),
            ("Asked", f"{obj.live_requested_at:%d %b %Y %H:%M} UTC, {self.asked(obj)}"),
            ("Note", obj.live_request_note),
            (
                "Earlier approval until",
                f"{obj.live_approved_until:%d %b %Y}" if obj.live_approved_until else "",
            ),
            ("Test bookings", listed("bookings_booking", obj.made, q=obj.id, environment__exact="test")),
            ("Webhook verified", "yes" if obj.delivered else "no"),
            ("Done on the way", ", ".join(title for title, behind in done.items() if behind)),
            ("Requests", listed("request_log_loggedcall", "Their calls", q=obj.id)),
        ]

    def decided(self, object_id: str) -> str:
        """`Aurora Travel: approved by ann@ours.example, 2 minutes ago.` Empty while a request is open."""
        if LiveKeyRequest.objects.filter(pk=object_id, live_requested_at__isnull=False).exists():
            return ""
        entries = AccountAuditEntry.objects.filter(account_id=object_id, action__in=DECISIONS)
        last = entries.select_related("account", "actor").order_by("-created_at", "-id").first()
        if last is None:
            return ""
        who = last.actor.email if last.actor else "the command line"
        age = timesince(last.created_at, clock.now(), depth=1)
        return f"{last.account}: {DECISIONS[last.action]} by {who}, {age} ago. Your click changed nothing."

    def verdicts(self, request: HttpRequest, obj: Any) -> Sequence[Verdict]:
        if not self.has_decide_permission(request):
            return []
        person = signed_in(request)
        return [
            Verdict(
                "approve",
                "Approve for 365 days",
                "The owners get a mail that they can create live keys. The live wallet opens, empty.",
                partial(self._approve, obj, person),
            ),
            Verdict(
                "refuse",
                "Decline",
                "The owners see the reason in a mail and in the portal. They may request it again.",
                partial(self._refuse, obj, person),
                form=Reason,
                grave=True,
            ),
        ]

    def _approve(self, account: Any, person: User, given: dict[str, Any]) -> str:
        approve_live(account=as_account(account), approved_by=person, asked=True)
        return "Approved. The owners get a mail."

    def _refuse(self, account: Any, person: User, given: dict[str, Any]) -> str:
        refuse_live(account=as_account(account), refused_by=person, reason=given["reason"])
        return "Declined. The owners get the reason by mail."


def as_account(request: LiveKeyRequest) -> Account:
    """The account itself instead of the proxy, because other apps listen for signals of Account."""
    return Account.objects.get(pk=request.pk)
