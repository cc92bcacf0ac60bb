"""/portal/<test|live>/… for pages of one environment, /portal/… for pages of the whole account."""

from django.urls import include, path, register_converter
from django.urls.converters import IntConverter, StringConverter

from apps.common.environments import Environment
from apps.portal import (
    audit,
    balance,
    branding,
    call_outcomes,
    components,
    home,
    keys,
    limits,
    production_access,
    profile,
    quick_start,
    sandbox,
    saved_views,
    statements,
    switch_account,
    team,
)
from apps.portal.bookings import actions, approvals
from apps.portal.bookings import pages as bookings
from apps.portal.bookings.documents import BookingDocumentView, TripDocumentView
from apps.portal.bookings.stay_change import StayChangeConfirmView, StayChangeView
from apps.portal.find import pages as find
from apps.portal.notifications import pages as notifications
from apps.portal.requests import pages as requests
from apps.portal.webhooks import deliveries, doctor, endpoints, event_types, events, exams, recoveries


class EnvironmentConverter(StringConverter):
    regex = "|".join(Environment.values)


class RowNumber(IntConverter):
    """The number of a row: a longer one may not fit a bigint."""

    regex = "[0-9]{1,18}"


register_converter(EnvironmentConverter, "environment")
register_converter(RowNumber, "row_number")

of_account = [
    path("switch/", switch_account.SwitchAccountView.as_view(), name="switch_account"),
    path("switch/sandbox/", switch_account.SwitchSandboxView.as_view(), name="switch_sandbox"),
    path("production-access/", production_access.ProductionAccessView.as_view(), name="production_access"),
    path("team/", team.TeamView.as_view(), name="team"),
    path("team/invite/", team.InviteMemberView.as_view(), name="team_invite"),
    path("team/approval/", team.FourEyesView.as_view(), name="four_eyes"),
    path("team/members/<int:member_id>/role/", team.MemberRoleView.as_view(), name="member_role"),
    path("team/members/<int:member_id>/remove/", team.MemberRemoveView.as_view(), name="member_remove"),
    path(
        "team/invitations/<str:invitation_id>/resend/",
        team.InvitationResendView.as_view(),
        name="invitation_resend",
    ),
    path(
        "team/invitations/<str:invitation_id>/withdraw/",
        team.InvitationWithdrawView.as_view(),
        name="invitation_withdraw",
    ),
    path("branding/", branding.BrandingView.as_view(), name="branding"),
    path("branding/logo/", branding.LogoView.as_view(), name="branding_logo"),
    path("branding/logo.png", branding.LogoFileView.as_view(), name="branding_logo_file"),
    path("branding/logo/remove/", branding.LogoRemoveView.as_view(), name="branding_logo_remove"),
    path("branding/sample.pdf", branding.SamplePdfView.as_view(), name="branding_sample_pdf"),
    path("branding/sample.html", branding.SampleHtmlView.as_view(), name="branding_sample_html"),
    path("audit/", audit.AuditView.as_view(), name="audit"),
    path("audit/audit.csv", audit.AuditFileView.as_view(), name="audit_file"),
    path("profile/", profile.ProfileView.as_view(), name="profile"),
    path("time-zone/", profile.TimeZoneView.as_view(), name="time_zone"),
]

of_environment = [
    path("", home.HomeView.as_view(), name="home"),
    path("components/", components.ComponentsView.as_view(), name="components"),
    path("find/", find.FindView.as_view(), name="find"),
    path("views/<slug:list_name>/", saved_views.SavedViewsView.as_view(), name="saved_views"),
    path(
        "views/<slug:list_name>/<row_number:view_id>/remove/",
        saved_views.SavedViewRemoveView.as_view(),
        name="saved_view_remove",
    ),
    path("quick-start/", quick_start.QuickStartView.as_view(), name="quick_start"),
    path("quick-start/arrived/", quick_start.FirstCallView.as_view(), name="quick_start_arrived"),
    path("quick-start/key/", quick_start.QuickStartKeyView.as_view(), name="quick_start_key"),
    path(
        "quick-start/key/<str:key_id>/", quick_start.QuickStartSecretView.as_view(), name="quick_start_with"
    ),
    path("keys/", keys.KeyListView.as_view(), name="keys"),
    path("keys/new/", keys.KeyCreateView.as_view(), name="key_new"),
    path("keys/<str:key_id>/", keys.KeyDetailView.as_view(), name="key"),
    path("keys/<str:key_id>/secret/", keys.KeySecretView.as_view(), name="key_secret"),
    path("keys/<str:key_id>/name/", keys.KeyRenameView.as_view(), name="key_rename"),
    path("keys/<str:key_id>/addresses/", keys.KeyAddressesView.as_view(), name="key_addresses"),
    path("keys/<str:key_id>/scopes/", keys.KeyScopesView.as_view(), name="key_scopes"),
    path("keys/<str:key_id>/expiry/", keys.KeyExpiryView.as_view(), name="key_expiry"),
    path("keys/<str:key_id>/limits/", keys.KeySpendLimitsView.as_view(), name="key_spend_limits"),
    path("keys/<str:key_id>/rotate/", keys.KeyRotateView.as_view(), name="key_rotate"),
    path("keys/<str:key_id>/end-old/", keys.EndOldSecretsView.as_view(), name="key_end_old"),
    path("keys/<str:key_id>/revoke/", keys.KeyRevokeView.as_view(), name="key_revoke"),
    path("sandbox/", sandbox.SandboxView.as_view(), name="sandbox"),
    path("sandbox/open/", sandbox.SandboxOpenView.as_view(), name="sandbox_open"),
    path("sandbox/funds/", sandbox.FundsView.as_view(), name="sandbox_funds"),
    path("sandbox/faults/", sandbox.FaultsView.as_view(), name="sandbox_faults"),
    path("sandbox/name/", sandbox.SandboxRenameView.as_view(), name="sandbox_rename"),
    path("sandbox/reset/", sandbox.SandboxResetView.as_view(), name="sandbox_reset"),
    path("sandbox/close/", sandbox.SandboxCloseView.as_view(), name="sandbox_close"),
    path("requests/", requests.RequestListView.as_view(), name="requests"),
    path("requests/requests.csv", requests.RequestFileView.as_view(), name="requests_file"),
    path("requests/<str:request_id>/", requests.RequestDetailView.as_view(), name="request"),
    path("call-outcomes/", call_outcomes.CallOutcomesView.as_view(), name="call_outcomes"),
    path("bookings/", bookings.BookingListView.as_view(), name="bookings"),
    path("bookings/bookings.csv", bookings.BookingFileView.as_view(), name="bookings_file"),
    path("bookings/trip-document/", TripDocumentView.as_view(), name="trip_document"),
    path("bookings/<str:booking_id>/", bookings.BookingDetailView.as_view(), name="booking"),
    path("bookings/<str:booking_id>/document/", BookingDocumentView.as_view(), name="booking_document"),
    path("bookings/<str:booking_id>/approve/", approvals.ApproveView.as_view(), name="booking_approve"),
    path("bookings/<str:booking_id>/decline/", approvals.DeclineView.as_view(), name="booking_decline"),
    path("bookings/<str:booking_id>/erase/", actions.EraseView.as_view(), name="erase_booking"),
    path("bookings/<str:booking_id>/cancel/", actions.BookingCancelView.as_view(), name="booking_cancel"),
    path("bookings/<str:booking_id>/pay/", actions.BookingPayView.as_view(), name="booking_pay"),
    path("bookings/<str:booking_id>/change/", StayChangeView.as_view(), name="booking_change"),
    path(
        "bookings/<str:booking_id>/change/confirm/",
        StayChangeConfirmView.as_view(),
        name="booking_change_confirm",
    ),
    path(
        "bookings/<str:booking_id>/correct-guest/",
        actions.BookingCorrectView.as_view(),
        name="booking_correct",
    ),
    path(
        "bookings/<str:booking_id>/refund-requests/",
        actions.BookingRefundView.as_view(),
        name="booking_refund",
    ),
    path(
        "bookings/<str:booking_id>/resend-events/",
        actions.BookingResendView.as_view(),
        name="booking_resend",
    ),
    path("bookings/<str:booking_id>/simulate/", actions.SimulateView.as_view(), name="simulate_booking"),
    path("approvals/", approvals.ApprovalListView.as_view(), name="approvals"),
    path("balance/", balance.BalanceView.as_view(), name="balance"),
    path("balance/ledger/", balance.LedgerView.as_view(), name="ledger"),
    path("balance/ledger.csv", balance.LedgerFileView.as_view(), name="ledger_file"),
    path("balance/warning/", balance.BalanceWarningView.as_view(), name="balance_warning"),
    path("balance/statements/", statements.StatementsView.as_view(), name="statements"),
    path("balance/statements/<str:month>/", statements.StatementView.as_view(), name="statement"),
    path(
        "balance/statements/<str:month>/statement.<str:form>",
        statements.StatementFileView.as_view(),
        name="statement_file",
    ),
    path("balance/usage/", balance.UsageView.as_view(), name="usage"),
    path("balance/usage/usage.csv", balance.UsageFileView.as_view(), name="usage_file"),
    path("limits/", limits.LimitsView.as_view(), name="limits"),
    path("notifications/", notifications.NotificationsView.as_view(), name="notifications"),
    path("notifications/chat/", notifications.ChatView.as_view(), name="notifications_chat"),
    path(
        "notifications/chat/remove/", notifications.ChatRemoveView.as_view(), name="notifications_chat_remove"
    ),
    path("webhooks/", endpoints.WebhooksView.as_view(), name="webhooks"),
    path("webhooks/new/", endpoints.EndpointCreateView.as_view(), name="endpoint_new"),
    path("webhooks/deliveries/", deliveries.DeliveryListView.as_view(), name="deliveries"),
    path("webhooks/deliveries/deliveries.csv", deliveries.DeliveryFileView.as_view(), name="deliveries_file"),
    path("webhooks/deliveries/send/", deliveries.DeliveriesSendView.as_view(), name="deliveries_send"),
    path("webhooks/deliveries/<str:delivery_id>/", deliveries.DeliveryDetailView.as_view(), name="delivery"),
    path(
        "webhooks/deliveries/<str:delivery_id>/resend/",
        deliveries.DeliveryResendView.as_view(),
        name="delivery_resend",
    ),
    path(
        "webhooks/deliveries/<str:delivery_id>/send-now/",
        deliveries.DeliverySendNowView.as_view(),
        name="delivery_send_now",
    ),
    path("webhooks/events/", events.EventListView.as_view(), name="events"),
    path("webhooks/events/<str:event_id>/", events.EventDetailView.as_view(), name="event"),
    path("webhooks/event-types/", event_types.EventTypesView.as_view(), name="event_types"),
    path("webhooks/event-types/<str:event_type>/", event_types.EventTypeView.as_view(), name="event_type"),
    path("webhooks/recoveries/<str:recovery_id>/", recoveries.RecoveryDetailView.as_view(), name="recovery"),
    path(
        "webhooks/recoveries/<str:recovery_id>/stop/",
        recoveries.RecoveryStopView.as_view(),
        name="recovery_stop",
    ),
    path(
        "webhooks/recoveries/<str:recovery_id>/resume/",
        recoveries.RecoveryResumeView.as_view(),
        name="recovery_resume",
    ),
    path("webhooks/doctor/", doctor.DoctorView.as_view(), name="doctor"),
    path("webhooks/exams/<str:exam_id>/", exams.ExamDetailView.as_view(), name="exam"),
    path("webhooks/<str:endpoint_id>/", endpoints.EndpointDetailView.as_view(), name="endpoint"),
    path(
        "webhooks/<str:endpoint_id>/secret/", endpoints.EndpointSecretView.as_view(), name="endpoint_secret"
    ),
    path("webhooks/<str:endpoint_id>/edit/", endpoints.EndpointEditView.as_view(), name="endpoint_edit"),
    path(
        "webhooks/<str:endpoint_id>/rotate/", endpoints.EndpointRotateView.as_view(), name="endpoint_rotate"
    ),
    path(
        "webhooks/<str:endpoint_id>/enable/", endpoints.EndpointEnableView.as_view(), name="endpoint_enable"
    ),
    path(
        "webhooks/<str:endpoint_id>/disable/",
        endpoints.EndpointDisableView.as_view(),
        name="endpoint_disable",
    ),
    path(
        "webhooks/<str:endpoint_id>/delete/", endpoints.EndpointDeleteView.as_view(), name="endpoint_delete"
    ),
    path("webhooks/<str:endpoint_id>/test/", endpoints.EndpointTestView.as_view(), name="endpoint_test"),
    path("webhooks/<str:endpoint_id>/exam/", exams.EndpointExamView.as_view(), name="endpoint_exam"),
    path(
        "webhooks/<str:endpoint_id>/recover/",
        recoveries.EndpointRecoverView.as_view(),
        name="endpoint_recover",
    ),
]

app_name = "portal"
urlpatterns = [*of_account, path("<environment:environment>/", include(of_environment))]
