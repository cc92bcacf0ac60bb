from django.apps import AppConfig


class GatewayConfig(AppConfig):
    name = "apps.gateway"

    def ready(self) -> None:
        from django.db.models import Q

        from apps.common.encryption import register_texts
        from apps.gateway import checks, heartbeats, idempotency, metrics, periodic  # noqa: F401
        from apps.gateway.models import IdempotencyRecord
        from apps.gateway.probes import register_part

        heartbeats.register()
        register_part("tasks", periodic.health)
        register_texts(IdempotencyRecord, "body", only=Q(encrypted=True))
        metrics.register()
