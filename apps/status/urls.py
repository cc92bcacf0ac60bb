"""Mounted at the root."""

from django.urls import path

from apps.status import views

app_name = "status"
urlpatterns = [
    path("status", views.page, name="page"),
    path("status.json", views.as_json, name="json"),
    path("status.atom", views.as_atom, name="atom"),
]
