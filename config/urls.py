"""The URL map: /v1 for partners, probes outside it, the back office."""

from django.contrib import admin
from django.urls import path

urlpatterns = [
    path("admin/", admin.site.urls),
]
