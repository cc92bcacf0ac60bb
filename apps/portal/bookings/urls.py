from django.urls import path

from apps.portal.bookings.views import BookingDetailView, BookingListView

urlpatterns = [
    path("", BookingListView.as_view(), name="bookings"),
    path("<str:booking_id>/", BookingDetailView.as_view(), name="booking"),
]
