from django.apps import AppConfig


class EsimConfig(AppConfig):
    name = "apps.esim"

    def ready(self) -> None:
        from apps.bookings.work import register
        from apps.esim.services.order import OrderEsim

        register(OrderEsim())
