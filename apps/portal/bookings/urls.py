from django.urls import path

from apps.portal.bookings.simulate import SimulateView
from apps.portal.bookings.views import BookingDetailView, BookingListView

urlpatterns = [
    path("", BookingListView.as_view(), name="bookings"),
    path("<str:booking_id>/", BookingDetailView.as_view(), name="booking"),
    path("<str:booking_id>/simulate/", SimulateView.as_view(), name="simulate_booking"),
]
