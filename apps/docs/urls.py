"""Mounted at /docs/."""

from django.urls import path, re_path
from django.views.generic import RedirectView

from apps.docs import clients, machines, views
from apps.docs.views import either, twin

app_name = "docs"
EVERY_ERROR = "/docs/guides/errors-and-retries#every-error"
urlpatterns = [
    path("", views.index, name="index"),
    path("index.md", machines.llms),
    path("guides/<slug:slug>", either(views.guide), name="guide"),
    path("errors", RedirectView.as_view(url=EVERY_ERROR, permanent=True), name="errors"),
    path("errors.md", RedirectView.as_view(url="/docs/guides/errors-and-retries.md", permanent=True)),
    path("errors/<slug:type>", either(views.error), name="error"),
    # Where a shortened address lands.
    path("guides", RedirectView.as_view(pattern_name="docs:index")),
    path("guides/", RedirectView.as_view(pattern_name="docs:index")),
    path("search", views.search_page, name="search"),
    path("search/found", views.found, name="found"),
    path("changelog", either(views.changelog), name="changelog"),
    path("clients", either(views.client_libraries), name="clients"),
    path("clients/", RedirectView.as_view(pattern_name="docs:clients")),
    path("clients/packages.json", clients.composer, name="composer"),
    path("clients/<str:name>", clients.download, name="client-package"),
    path("changelog.atom", machines.feed, name="feed"),
    re_path(r"^openapi/(?P<version>\d+\.\d+\.\d+)\.json$", machines.released, name="released"),
    path("collection.postman.json", views.download, {"what": "collection"}, name="postman"),
    path("environment.postman.json", views.download, {"what": "environment"}, name="postman-environment"),
    path("reference", either(views.overview), name="reference"),
    path("reference/try", views.try_it, name="try"),
    path("reference/<slug:slug>", either(views.product), name="product"),
    path("reference/<slug:product>/<slug:slug>", either(views.operation), name="operation"),
    re_path(r"^(?P<page>[\w/-]+)\.md$", twin, name="markdown"),
]
