from django.apps import AppConfig


class WebhooksConfig(AppConfig):
    name = "apps.webhooks"

    def ready(self) -> None:
        from apps.webhooks import checks  # noqa: F401
