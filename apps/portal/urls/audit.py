from django.urls import path

from apps.portal.views.audit import Audit

urlpatterns = [
    path("", Audit.as_view(), name="audit"),
]
