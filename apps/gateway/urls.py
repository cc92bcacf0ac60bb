"""What the gateway itself answers: the OpenAPI document, /v1/ping, and the probes outside /v1."""

from django.urls import path

from apps.gateway.openapi import OpenApiDocument
from apps.gateway.probes import HealthViewSet, PingViewSet
from apps.gateway.viewsets import SingletonRouter

ping = SingletonRouter()
ping.register("ping", PingViewSet, "ping")

probes = SingletonRouter()
probes.register("health", HealthViewSet, "health")

urlpatterns = [path("openapi.json", OpenApiDocument.as_view()), *ping.urls]
