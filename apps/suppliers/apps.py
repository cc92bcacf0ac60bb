from django.apps import AppConfig


class SuppliersConfig(AppConfig):
    name = "apps.suppliers"

    def ready(self) -> None:
        from apps.suppliers import checks  # noqa: F401  (registers itself)
