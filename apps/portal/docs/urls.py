"""Mounted at /docs/."""

from django.urls import path

from apps.portal.docs import views

app_name = "docs"
urlpatterns = [
    path("", views.index, name="index"),
    path("guides/<slug:slug>", views.guide, name="guide"),
    path("errors", views.errors, name="errors"),
    path("errors/<slug:type>", views.error, name="error"),
    path("changelog", views.changelog, name="changelog"),
    path("reference", views.reference, name="reference"),
]
