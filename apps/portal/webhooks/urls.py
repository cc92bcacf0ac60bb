from django.urls import path

from apps.portal.webhooks.deliveries.csv_view import DeliveryFileView
from apps.portal.webhooks.deliveries.views import (
    DeliveriesSendView,
    DeliveryDetailView,
    DeliveryListView,
    DeliveryResendView,
    DeliverySendNowView,
)
from apps.portal.webhooks.doctor import DoctorView
from apps.portal.webhooks.endpoints.change_views import (
    EndpointDeleteView,
    EndpointDisableView,
    EndpointEditView,
    EndpointEnableView,
    EndpointTestView,
)
from apps.portal.webhooks.endpoints.secret_views import (
    EndpointCreateView,
    EndpointRotateView,
    EndpointSecretView,
)
from apps.portal.webhooks.endpoints.views import EndpointDetailView
from apps.portal.webhooks.event_types.views import EventTypesView, EventTypeView
from apps.portal.webhooks.events.views import EventDetailView, EventListView
from apps.portal.webhooks.exams.views import EndpointExamView, ExamDetailView
from apps.portal.webhooks.recoveries.views import (
    EndpointRecoverView,
    RecoveryDetailView,
    RecoveryResumeView,
    RecoveryStopView,
)
from apps.portal.webhooks.views import WebhooksView

urlpatterns = [
    path("", WebhooksView.as_view(), name="webhooks"),
    path("new/", EndpointCreateView.as_view(), name="endpoint_new"),
    path("deliveries/", DeliveryListView.as_view(), name="deliveries"),
    path("deliveries/deliveries.csv", DeliveryFileView.as_view(), name="deliveries_file"),
    path("deliveries/send/", DeliveriesSendView.as_view(), name="deliveries_send"),
    path("deliveries/<str:delivery_id>/", DeliveryDetailView.as_view(), name="delivery"),
    path("deliveries/<str:delivery_id>/resend/", DeliveryResendView.as_view(), name="delivery_resend"),
    path("deliveries/<str:delivery_id>/send-now/", DeliverySendNowView.as_view(), name="delivery_send_now"),
    path("events/", EventListView.as_view(), name="events"),
    path("events/<str:event_id>/", EventDetailView.as_view(), name="event"),
    path("event-types/", EventTypesView.as_view(), name="event_types"),
    path("event-types/<str:event_type>/", EventTypeView.as_view(), name="event_type"),
    path("recoveries/<str:recovery_id>/", RecoveryDetailView.as_view(), name="recovery"),
    path("recoveries/<str:recovery_id>/stop/", RecoveryStopView.as_view(), name="recovery_stop"),
    path("recoveries/<str:recovery_id>/resume/", RecoveryResumeView.as_view(), name="recovery_resume"),
    path("doctor/", DoctorView.as_view(), name="doctor"),
    path("exams/<str:exam_id>/", ExamDetailView.as_view(), name="exam"),
    path("<str:endpoint_id>/", EndpointDetailView.as_view(), name="endpoint"),
    path("<str:endpoint_id>/secret/", EndpointSecretView.as_view(), name="endpoint_secret"),
    path("<str:endpoint_id>/edit/", EndpointEditView.as_view(), name="endpoint_edit"),
    path("<str:endpoint_id>/rotate/", EndpointRotateView.as_view(), name="endpoint_rotate"),
    path("<str:endpoint_id>/enable/", EndpointEnableView.as_view(), name="endpoint_enable"),
    path("<str:endpoint_id>/disable/", EndpointDisableView.as_view(), name="endpoint_disable"),
    path("<str:endpoint_id>/delete/", EndpointDeleteView.as_view(), name="endpoint_delete"),
    path("<str:endpoint_id>/test/", EndpointTestView.as_view(), name="endpoint_test"),
    path("<str:endpoint_id>/exam/", EndpointExamView.as_view(), name="endpoint_exam"),
    path("<str:endpoint_id>/recover/", EndpointRecoverView.as_view(), name="endpoint_recover"),
]
