from django.apps import AppConfig


class EsimConfig(AppConfig):
    name = "apps.esim"
    verbose_name = "eSIM"

    def ready(self) -> None:
        from apps.bookings.work import register, register_news_pause
        from apps.esim.services.order import OrderEsim
        from apps.esim.services.withdrawn import WithdrawEsim, news_pause
        from apps.esim.suppliers.airalo import webhooks as airalo
        from apps.suppliers.webhooks.registry import Source
        from apps.suppliers.webhooks.registry import register as take_webhooks

        register(OrderEsim())
        register(WithdrawEsim())
        register_news_pause(WithdrawEsim.product, news_pause)
        take_webhooks("airalo", Source("esim", airalo.verify, airalo.refresh))
