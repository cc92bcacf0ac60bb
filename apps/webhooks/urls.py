from django.urls import path

from apps.webhooks import views

urlpatterns = [
    path("endpoints", views.Endpoints.as_view()),
    path("endpoints/<str:id>", views.EndpointView.as_view()),
    path("endpoints/<str:id>/rotate-secret", views.EndpointRotateSecret.as_view()),
    path("endpoints/<str:id>/test", views.EndpointTest.as_view()),
    path("deliveries", views.Deliveries.as_view()),
    path("deliveries/<str:id>", views.DeliveryView.as_view()),
    path("deliveries/<str:id>/resend", views.DeliveryResend.as_view()),
]
