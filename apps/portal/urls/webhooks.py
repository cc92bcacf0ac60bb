from django.urls import path

from apps.portal.views.webhooks.changing import (
    DeleteEndpoint,
    DisableEndpoint,
    EditEndpoint,
    EnableEndpoint,
    TestEndpoint,
)
from apps.portal.views.webhooks.deliveries import Deliveries, DeliveryPage, ResendDelivery
from apps.portal.views.webhooks.making import EndpointSecret, NewEndpoint, RotateEndpointSecret
from apps.portal.views.webhooks.one import EndpointPage
from apps.portal.views.webhooks.overview import Webhooks
from apps.portal.views.webhooks.recoveries import Recover, RecoveryPage, ResumeRecovery, StopRecovery

urlpatterns = [
    path("", Webhooks.as_view(), name="webhooks"),
    path("new/", NewEndpoint.as_view(), name="endpoint_new"),
    path("deliveries/", Deliveries.as_view(), name="deliveries"),
    path("deliveries/<str:delivery_id>/", DeliveryPage.as_view(), name="delivery"),
    path("deliveries/<str:delivery_id>/resend/", ResendDelivery.as_view(), name="delivery_resend"),
    path("recoveries/<str:recovery_id>/", RecoveryPage.as_view(), name="recovery"),
    path("recoveries/<str:recovery_id>/stop/", StopRecovery.as_view(), name="recovery_stop"),
    path("recoveries/<str:recovery_id>/resume/", ResumeRecovery.as_view(), name="recovery_resume"),
    path("<str:endpoint_id>/", EndpointPage.as_view(), name="endpoint"),
    path("<str:endpoint_id>/secret/", EndpointSecret.as_view(), name="endpoint_secret"),
    path("<str:endpoint_id>/edit/", EditEndpoint.as_view(), name="endpoint_edit"),
    path("<str:endpoint_id>/rotate/", RotateEndpointSecret.as_view(), name="endpoint_rotate"),
    path("<str:endpoint_id>/enable/", EnableEndpoint.as_view(), name="endpoint_enable"),
    path("<str:endpoint_id>/disable/", DisableEndpoint.as_view(), name="endpoint_disable"),
    path("<str:endpoint_id>/delete/", DeleteEndpoint.as_view(), name="endpoint_delete"),
    path("<str:endpoint_id>/test/", TestEndpoint.as_view(), name="endpoint_test"),
    path("<str:endpoint_id>/recover/", Recover.as_view(), name="endpoint_recover"),
]
