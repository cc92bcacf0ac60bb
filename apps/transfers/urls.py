from django.urls import path

from apps.transfers import views

urlpatterns = [
    path("searches", views.TransferSearches.as_view()),
    path("orders", views.TransferOrders.as_view()),
    path("orders/<str:orderId>", views.TransferOrder.as_view()),
    path("orders/<str:orderId>/cancel", views.TransferOrderCancel.as_view()),
]
