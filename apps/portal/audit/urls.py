from django.urls import path

from apps.portal.audit.views import AuditView

urlpatterns = [
    path("", AuditView.as_view(), name="audit"),
]
