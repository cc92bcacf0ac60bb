from django.apps import AppConfig


class SuppliersConfig(AppConfig):
    name = "apps.suppliers"

    def ready(self) -> None:
        from apps.gateway.probes import register_part
        from apps.suppliers import checks, metrics  # noqa: F401  (registers itself)
        from apps.suppliers.alerts.health import open_alerts
        from apps.suppliers.connectors import refuse_misconfigured
        from apps.suppliers.drift.health import drift

        refuse_misconfigured()
        metrics.register()
        register_part("suppliers", open_alerts)
        register_part("supplierDrift", drift)
