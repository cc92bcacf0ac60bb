"""Mounted at /docs/."""

from django.urls import path
from django.views.generic import RedirectView

from apps.docs import views
from apps.docs.reference import views as reference

app_name = "docs"
urlpatterns = [
    path("", views.index, name="index"),
    path("guides/<slug:slug>", views.guide, name="guide"),
    path("errors", views.errors, name="errors"),
    path("errors/<slug:type>", views.error, name="error"),
    # Where a shortened address lands.
    path("errors/", RedirectView.as_view(pattern_name="docs:errors")),
    path("guides", RedirectView.as_view(pattern_name="docs:index")),
    path("guides/", RedirectView.as_view(pattern_name="docs:index")),
    path("changelog", views.changelog, name="changelog"),
    path("reference", reference.overview, name="reference"),
    path("reference/", RedirectView.as_view(pattern_name="docs:reference")),
    path("reference/try", reference.try_it, name="try"),
    path("reference/<slug:slug>", reference.product, name="product"),
    path("reference/<slug:product>/<slug:slug>", reference.operation, name="operation"),
]
