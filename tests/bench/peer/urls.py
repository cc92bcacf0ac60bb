"""The peer's addresses: under /v1, where our web server lets several threads serve."""

from django.urls import path

from tests.bench.peer import views

urlpatterns = [
    path("health/ready", views.plain),
    path("v1/plain", views.plain),
    path("v1/account", views.Account.as_view()),
    path("v1/hotels/searches", views.HotelSearches.as_view()),
    path("v1/hotels/bookings", views.HotelBookings.as_view()),
]
