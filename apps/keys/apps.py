from django.apps import AppConfig


class KeysConfig(AppConfig):
    name = "apps.keys"
    verbose_name = "API keys"

    def ready(self) -> None:
        from apps.keys import bypass  # noqa: F401
