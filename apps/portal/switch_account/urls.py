from django.urls import path

from apps.portal.switch_account.views import SwitchAccountView, SwitchSandboxView

urlpatterns = [
    path("", SwitchAccountView.as_view(), name="switch_account"),
    path("sandbox/", SwitchSandboxView.as_view(), name="switch_sandbox"),
]
