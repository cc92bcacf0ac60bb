from django.apps import AppConfig


class GatewayConfig(AppConfig):
    name = "apps.gateway"

    def ready(self) -> None:
        from apps.gateway import heartbeats

        heartbeats.register()
