"""Celery finds its tasks here."""

from apps.gateway.heartbeats import heartbeat

__all__ = ["heartbeat"]
