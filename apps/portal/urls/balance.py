from django.urls import path

from apps.portal.views.balance import Balance, LedgerFile, Usage

urlpatterns = [
    path("", Balance.as_view(), name="balance"),
    path("ledger.csv", LedgerFile.as_view(), name="ledger_file"),
    path("usage/", Usage.as_view(), name="usage"),
]
