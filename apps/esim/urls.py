from django.urls import path

from apps.esim import views

urlpatterns = [
    path("plans", views.EsimPlans.as_view()),
    path("plans/<str:id>", views.EsimPlan.as_view()),
    path("orders", views.EsimOrders.as_view()),
    path("orders/<str:id>", views.EsimOrder.as_view()),
    path("orders/<str:id>/usage", views.EsimUsage.as_view()),
]
