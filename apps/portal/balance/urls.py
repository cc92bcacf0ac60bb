from django.urls import path

from apps.portal.balance.views import BalanceView, LedgerFileView, UsageView
from apps.portal.balance.warning_views import BalanceWarningView

urlpatterns = [
    path("", BalanceView.as_view(), name="balance"),
    path("ledger.csv", LedgerFileView.as_view(), name="ledger_file"),
    path("warning/", BalanceWarningView.as_view(), name="balance_warning"),
    path("usage/", UsageView.as_view(), name="usage"),
]
