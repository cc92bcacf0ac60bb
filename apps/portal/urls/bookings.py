from django.urls import path

from apps.portal.views.bookings import Booking, Bookings

urlpatterns = [
    path("", Bookings.as_view(), name="bookings"),
    path("<str:booking_id>/", Booking.as_view(), name="booking"),
]
