from django.urls import path

from apps.portal.balance.ledger_csv import LedgerFileView
from apps.portal.balance.usage_csv import UsageFileView
from apps.portal.balance.views import BalanceView, UsageView
from apps.portal.balance.warning_views import BalanceWarningView

urlpatterns = [
    path("", BalanceView.as_view(), name="balance"),
    path("ledger.csv", LedgerFileView.as_view(), name="ledger_file"),
    path("warning/", BalanceWarningView.as_view(), name="balance_warning"),
    path("usage/", UsageView.as_view(), name="usage"),
    path("usage/usage.csv", UsageFileView.as_view(), name="usage_file"),
]
