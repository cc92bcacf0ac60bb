from django.urls import path

from apps.portal.switch_account.views import SwitchAccountView

urlpatterns = [
    path("", SwitchAccountView.as_view(), name="switch_account"),
]
