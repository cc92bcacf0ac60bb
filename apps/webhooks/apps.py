from django.apps import AppConfig


class WebhooksConfig(AppConfig):
    name = "apps.webhooks"

    def ready(self) -> None:
        from apps.common.encryption import register_texts
        from apps.gateway.probes import register_part
        from apps.webhooks import checks, metrics  # noqa: F401
        from apps.webhooks.models import Endpoint
        from apps.webhooks.services import endpoints  # noqa: F401

        register_part("deliveries", metrics.deliveries_due)
        register_texts(Endpoint, "secret_encrypted", "previous_secret_encrypted")
        metrics.register()
