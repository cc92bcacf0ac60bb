from django.apps import AppConfig


class KeysConfig(AppConfig):
    name = "apps.keys"

    def ready(self) -> None:
        from apps.keys import receivers  # noqa: F401
