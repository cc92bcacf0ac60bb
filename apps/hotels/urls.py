from django.urls import path

from apps.hotels import views

urlpatterns = [
    path("searches", views.HotelSearches.as_view()),
    path("searches/<str:id>", views.HotelSearchRecord.as_view()),
    path("rates/<str:rateId>", views.HotelRate.as_view()),
    path("bookings", views.HotelBookings.as_view()),
    path("bookings/<str:id>", views.HotelBooking.as_view()),
    path("bookings/<str:id>/cancel", views.HotelBookingCancel.as_view()),
]
