from django.urls import path

from apps.flights import views

urlpatterns = [
    path("searches", views.FlightSearches.as_view()),
    path("offers/<str:id>", views.FlightOffer.as_view()),
    path("orders", views.FlightOrders.as_view()),
    path("orders/<str:id>", views.FlightOrder.as_view()),
    path("orders/<str:id>/cancel", views.FlightOrderCancel.as_view()),
    path("orders/<str:id>/change-options", views.FlightOrderChangeOptions.as_view()),
    path("orders/<str:id>/change", views.FlightOrderChange.as_view()),
]
