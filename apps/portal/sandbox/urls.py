from django.urls import path

from apps.portal.sandbox.views import SandboxView

urlpatterns = [
    path("", SandboxView.as_view(), name="sandbox"),
]
