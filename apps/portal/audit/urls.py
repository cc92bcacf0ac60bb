from django.urls import path

from apps.portal.audit.csv_view import AuditFileView
from apps.portal.audit.views import AuditView

urlpatterns = [
    path("", AuditView.as_view(), name="audit"),
    path("audit.csv", AuditFileView.as_view(), name="audit_file"),
]
