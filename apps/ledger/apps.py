from django.apps import AppConfig


class LedgerConfig(AppConfig):
    name = "apps.ledger"

    def ready(self) -> None:
        from apps.ledger import metrics, receivers  # noqa: F401

        metrics.register()
