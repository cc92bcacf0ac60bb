from django.apps import AppConfig


class SuppliersConfig(AppConfig):
    name = "apps.suppliers"

    def ready(self) -> None:
        from apps.common.metrics import Readings, register_readings
        from apps.gateway.probes import register_part
        from apps.suppliers import health
        from apps.suppliers.checks import refuse_misconfigured

        refuse_misconfigured()
        register_readings(Readings(health.ALERT_TEXTS, health.read_alerts))
        register_part("suppliers", health.open_alerts)
        register_part("supplierDrift", health.drift)
