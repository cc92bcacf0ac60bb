from django.apps import AppConfig


class EsimConfig(AppConfig):
    name = "apps.esim"

    def ready(self) -> None:
        from apps.bookings.work import register
        from apps.esim.services.order import OrderEsim
        from apps.esim.services.withdrawn import WithdrawEsim
        from apps.esim.suppliers.airalo import webhooks as airalo
        from apps.suppliers.webhooks.registry import Source
        from apps.suppliers.webhooks.registry import register as take_webhooks

        register(OrderEsim())
        register(WithdrawEsim())
        take_webhooks("airalo", Source("esim", airalo.verify, airalo.refresh))
