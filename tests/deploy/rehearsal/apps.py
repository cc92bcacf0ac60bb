from django.apps import AppConfig
from django.conf import settings


class RehearsalConfig(AppConfig):
    """Suppliers are trusted whom the rehearsal's own authority vouches for; heartbeats come more often."""

    name = "tests.deploy.rehearsal"

    def ready(self) -> None:
        import certifi

        from apps.gateway import heartbeats

        heartbeats.PAUSE_SECONDS = settings.HEARTBEAT_SECONDS
        certifi.where = lambda: str(settings.SUPPLIERS_AUTHORITY)
