from django.urls import path

from apps.accounts import views

urlpatterns = [
    path("", views.AccountView.as_view()),
    path("/ledger", views.LedgerView.as_view()),
    path("/usage", views.UsageView.as_view()),
]
