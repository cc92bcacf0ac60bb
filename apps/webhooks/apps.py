from django.apps import AppConfig


class WebhooksConfig(AppConfig):
    name = "apps.webhooks"

    def ready(self) -> None:
        from apps.gateway.probes import register_part
        from apps.webhooks import checks, metrics, receivers  # noqa: F401
        from apps.webhooks.health import deliveries_due

        register_part("deliveries", deliveries_due)
        metrics.register()
