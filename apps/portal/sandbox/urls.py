from django.urls import path

from apps.portal.sandbox import manage_views
from apps.portal.sandbox.faults_views import FaultsView
from apps.portal.sandbox.views import SandboxView

urlpatterns = [
    path("", SandboxView.as_view(), name="sandbox"),
    path("open/", manage_views.SandboxOpenView.as_view(), name="sandbox_open"),
    path("funds/", manage_views.FundsView.as_view(), name="sandbox_funds"),
    path("faults/", FaultsView.as_view(), name="sandbox_faults"),
    path("name/", manage_views.SandboxRenameView.as_view(), name="sandbox_rename"),
    path("reset/", manage_views.SandboxResetView.as_view(), name="sandbox_reset"),
    path("close/", manage_views.SandboxCloseView.as_view(), name="sandbox_close"),
]
