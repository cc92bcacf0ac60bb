"""/portal/<test|live>/… for pages of one environment, /portal/… for pages of the whole account."""

from django.urls import include, path, register_converter

from apps.common.environments import Environment
from apps.portal import sandbox as manage_views
from apps.portal.audit import AuditFileView, AuditView
from apps.portal.balance import BalanceView, BalanceWarningView, LedgerFileView, UsageFileView, UsageView
from apps.portal.bookings.pages import (
    BookingCancelView,
    BookingDetailView,
    BookingFileView,
    BookingListView,
    BookingResendView,
    EraseView,
    SimulateView,
)
from apps.portal.call_outcomes import CallOutcomesView
from apps.portal.components import ComponentsView
from apps.portal.find.pages import FindView
from apps.portal.home import HomeView
from apps.portal.keys import (
    EndOldSecretsView,
    KeyAddressesView,
    KeyCreateView,
    KeyDetailView,
    KeyListView,
    KeyRenameView,
    KeyRevokeView,
    KeyRotateView,
    KeySecretView,
)
from apps.portal.notifications.pages import ChatRemoveView, ChatView, NotificationsView
from apps.portal.production_access import ProductionAccessView
from apps.portal.quick_start import (
    FirstCallView,
    QuickStartKeyView,
    QuickStartSecretView,
    QuickStartView,
)
from apps.portal.requests.pages import RequestDetailView, RequestFileView, RequestListView
from apps.portal.sandbox import FaultsView, SandboxView
from apps.portal.saved_views import SavedViewRemoveView, SavedViewsView
from apps.portal.switch_account import SwitchAccountView, SwitchSandboxView
from apps.portal.team import (
    InvitationResendView,
    InvitationWithdrawView,
    InviteMemberView,
    MemberRemoveView,
    MemberRoleView,
    TeamView,
)
from apps.portal.time_zone import TimeZoneView
from apps.portal.webhooks.deliveries import (
    DeliveriesSendView,
    DeliveryDetailView,
    DeliveryFileView,
    DeliveryListView,
    DeliveryResendView,
    DeliverySendNowView,
)
from apps.portal.webhooks.doctor import DoctorView
from apps.portal.webhooks.endpoints import (
    EndpointCreateView,
    EndpointDeleteView,
    EndpointDetailView,
    EndpointDisableView,
    EndpointEditView,
    EndpointEnableView,
    EndpointRotateView,
    EndpointSecretView,
    EndpointTestView,
    WebhooksView,
)
from apps.portal.webhooks.event_types import EventTypesView, EventTypeView
from apps.portal.webhooks.events import EventDetailView, EventListView
from apps.portal.webhooks.exams import EndpointExamView, ExamDetailView
from apps.portal.webhooks.recoveries import (
    EndpointRecoverView,
    RecoveryDetailView,
    RecoveryResumeView,
    RecoveryStopView,
)


class EnvironmentConverter:
    regex = "|".join(Environment.values)

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


class RowNumber:
    """The number of a row: no longer one fits a bigint for certain."""

    regex = "[0-9]{1,18}"

    def to_python(self, value: str) -> int:
        return int(value)

    def to_url(self, value: int) -> str:
        return str(value)


register_converter(EnvironmentConverter, "environment")
register_converter(RowNumber, "row_number")

of_account = [
    path("switch/", SwitchAccountView.as_view(), name="switch_account"),
    path("switch/sandbox/", SwitchSandboxView.as_view(), name="switch_sandbox"),
    path("production-access/", ProductionAccessView.as_view(), name="production_access"),
    path("team/", TeamView.as_view(), name="team"),
    path("team/invite/", InviteMemberView.as_view(), name="team_invite"),
    path("team/members/<int:member_id>/role/", MemberRoleView.as_view(), name="member_role"),
    path("team/members/<int:member_id>/remove/", MemberRemoveView.as_view(), name="member_remove"),
    path(
        "team/invitations/<str:invitation_id>/resend/",
        InvitationResendView.as_view(),
        name="invitation_resend",
    ),
    path(
        "team/invitations/<str:invitation_id>/withdraw/",
        InvitationWithdrawView.as_view(),
        name="invitation_withdraw",
    ),
    path("audit/", AuditView.as_view(), name="audit"),
    path("audit/audit.csv", AuditFileView.as_view(), name="audit_file"),
    path("time-zone/", TimeZoneView.as_view(), name="time_zone"),
]

of_environment = [
    path("", HomeView.as_view(), name="home"),
    path("components/", ComponentsView.as_view(), name="components"),
    path("find/", FindView.as_view(), name="find"),
    path("views/<slug:list_name>/", SavedViewsView.as_view(), name="saved_views"),
    path(
        "views/<slug:list_name>/<row_number:view_id>/remove/",
        SavedViewRemoveView.as_view(),
        name="saved_view_remove",
    ),
    path("quick-start/", QuickStartView.as_view(), name="quick_start"),
    path("quick-start/arrived/", FirstCallView.as_view(), name="quick_start_arrived"),
    path("quick-start/key/", QuickStartKeyView.as_view(), name="quick_start_key"),
    path("quick-start/key/<str:key_id>/", QuickStartSecretView.as_view(), name="quick_start_with"),
    path("keys/", KeyListView.as_view(), name="keys"),
    path("keys/new/", KeyCreateView.as_view(), name="key_new"),
    path("keys/<str:key_id>/", KeyDetailView.as_view(), name="key"),
    path("keys/<str:key_id>/secret/", KeySecretView.as_view(), name="key_secret"),
    path("keys/<str:key_id>/name/", KeyRenameView.as_view(), name="key_rename"),
    path("keys/<str:key_id>/addresses/", KeyAddressesView.as_view(), name="key_addresses"),
    path("keys/<str:key_id>/rotate/", KeyRotateView.as_view(), name="key_rotate"),
    path("keys/<str:key_id>/end-old/", EndOldSecretsView.as_view(), name="key_end_old"),
    path("keys/<str:key_id>/revoke/", KeyRevokeView.as_view(), name="key_revoke"),
    path("sandbox/", SandboxView.as_view(), name="sandbox"),
    path("sandbox/open/", manage_views.SandboxOpenView.as_view(), name="sandbox_open"),
    path("sandbox/funds/", manage_views.FundsView.as_view(), name="sandbox_funds"),
    path("sandbox/faults/", FaultsView.as_view(), name="sandbox_faults"),
    path("sandbox/name/", manage_views.SandboxRenameView.as_view(), name="sandbox_rename"),
    path("sandbox/reset/", manage_views.SandboxResetView.as_view(), name="sandbox_reset"),
    path("sandbox/close/", manage_views.SandboxCloseView.as_view(), name="sandbox_close"),
    path("requests/", RequestListView.as_view(), name="requests"),
    path("requests/requests.csv", RequestFileView.as_view(), name="requests_file"),
    path("requests/<str:request_id>/", RequestDetailView.as_view(), name="request"),
    path("call-outcomes/", CallOutcomesView.as_view(), name="call_outcomes"),
    path("bookings/", BookingListView.as_view(), name="bookings"),
    path("bookings/bookings.csv", BookingFileView.as_view(), name="bookings_file"),
    path("bookings/<str:booking_id>/", BookingDetailView.as_view(), name="booking"),
    path("bookings/<str:booking_id>/erase/", EraseView.as_view(), name="erase_booking"),
    path("bookings/<str:booking_id>/cancel/", BookingCancelView.as_view(), name="booking_cancel"),
    path("bookings/<str:booking_id>/resend-events/", BookingResendView.as_view(), name="booking_resend"),
    path("bookings/<str:booking_id>/simulate/", SimulateView.as_view(), name="simulate_booking"),
    path("balance/", BalanceView.as_view(), name="balance"),
    path("balance/ledger.csv", LedgerFileView.as_view(), name="ledger_file"),
    path("balance/warning/", BalanceWarningView.as_view(), name="balance_warning"),
    path("balance/usage/", UsageView.as_view(), name="usage"),
    path("balance/usage/usage.csv", UsageFileView.as_view(), name="usage_file"),
    path("notifications/", NotificationsView.as_view(), name="notifications"),
    path("notifications/chat/", ChatView.as_view(), name="notifications_chat"),
    path("notifications/chat/remove/", ChatRemoveView.as_view(), name="notifications_chat_remove"),
    path("webhooks/", WebhooksView.as_view(), name="webhooks"),
    path("webhooks/new/", EndpointCreateView.as_view(), name="endpoint_new"),
    path("webhooks/deliveries/", DeliveryListView.as_view(), name="deliveries"),
    path("webhooks/deliveries/deliveries.csv", DeliveryFileView.as_view(), name="deliveries_file"),
    path("webhooks/deliveries/send/", DeliveriesSendView.as_view(), name="deliveries_send"),
    path("webhooks/deliveries/<str:delivery_id>/", DeliveryDetailView.as_view(), name="delivery"),
    path(
        "webhooks/deliveries/<str:delivery_id>/resend/", DeliveryResendView.as_view(), name="delivery_resend"
    ),
    path(
        "webhooks/deliveries/<str:delivery_id>/send-now/",
        DeliverySendNowView.as_view(),
        name="delivery_send_now",
    ),
    path("webhooks/events/", EventListView.as_view(), name="events"),
    path("webhooks/events/<str:event_id>/", EventDetailView.as_view(), name="event"),
    path("webhooks/event-types/", EventTypesView.as_view(), name="event_types"),
    path("webhooks/event-types/<str:event_type>/", EventTypeView.as_view(), name="event_type"),
    path("webhooks/recoveries/<str:recovery_id>/", RecoveryDetailView.as_view(), name="recovery"),
    path("webhooks/recoveries/<str:recovery_id>/stop/", RecoveryStopView.as_view(), name="recovery_stop"),
    path(
        "webhooks/recoveries/<str:recovery_id>/resume/", RecoveryResumeView.as_view(), name="recovery_resume"
    ),
    path("webhooks/doctor/", DoctorView.as_view(), name="doctor"),
    path("webhooks/exams/<str:exam_id>/", ExamDetailView.as_view(), name="exam"),
    path("webhooks/<str:endpoint_id>/", EndpointDetailView.as_view(), name="endpoint"),
    path("webhooks/<str:endpoint_id>/secret/", EndpointSecretView.as_view(), name="endpoint_secret"),
    path("webhooks/<str:endpoint_id>/edit/", EndpointEditView.as_view(), name="endpoint_edit"),
    path("webhooks/<str:endpoint_id>/rotate/", EndpointRotateView.as_view(), name="endpoint_rotate"),
    path("webhooks/<str:endpoint_id>/enable/", EndpointEnableView.as_view(), name="endpoint_enable"),
    path("webhooks/<str:endpoint_id>/disable/", EndpointDisableView.as_view(), name="endpoint_disable"),
    path("webhooks/<str:endpoint_id>/delete/", EndpointDeleteView.as_view(), name="endpoint_delete"),
    path("webhooks/<str:endpoint_id>/test/", EndpointTestView.as_view(), name="endpoint_test"),
    path("webhooks/<str:endpoint_id>/exam/", EndpointExamView.as_view(), name="endpoint_exam"),
    path("webhooks/<str:endpoint_id>/recover/", EndpointRecoverView.as_view(), name="endpoint_recover"),
]

app_name = "portal"
urlpatterns = [*of_account, path("<environment:environment>/", include(of_environment))]
