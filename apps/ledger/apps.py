from django.apps import AppConfig


class LedgerConfig(AppConfig):
    name = "apps.ledger"

    def ready(self) -> None:
        from apps.common.metrics import register_readings
        from apps.ledger import money, selectors  # noqa: F401 - money receives signals

        register_readings(selectors.OPEN_HOLDS)
