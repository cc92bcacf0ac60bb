from django.urls import path

from apps.portal.bookings.cancel import BookingCancelView, BookingResendView
from apps.portal.bookings.csv_view import BookingFileView
from apps.portal.bookings.erase import EraseView
from apps.portal.bookings.simulate import SimulateView
from apps.portal.bookings.views import BookingDetailView, BookingListView

urlpatterns = [
    path("", BookingListView.as_view(), name="bookings"),
    path("bookings.csv", BookingFileView.as_view(), name="bookings_file"),
    path("<str:booking_id>/", BookingDetailView.as_view(), name="booking"),
    path("<str:booking_id>/erase/", EraseView.as_view(), name="erase_booking"),
    path("<str:booking_id>/cancel/", BookingCancelView.as_view(), name="booking_cancel"),
    path("<str:booking_id>/resend-events/", BookingResendView.as_view(), name="booking_resend"),
    path("<str:booking_id>/simulate/", SimulateView.as_view(), name="simulate_booking"),
]
