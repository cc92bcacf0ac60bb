from django.urls import path

from apps.portal.exports.views import ExportFileView, ExportRemoveView, ExportsView

urlpatterns = [
    path("", ExportsView.as_view(), name="exports"),
    path("<str:export_id>/", ExportFileView.as_view(), name="export"),
    path("<str:export_id>/remove/", ExportRemoveView.as_view(), name="export_remove"),
]
