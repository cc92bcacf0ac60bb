from django.apps import AppConfig


class EsimConfig(AppConfig):
    name = "apps.esim"
    verbose_name = "eSIM"

    def ready(self) -> None:
        from apps.bookings.handlers import register
        from apps.esim.services.handlers import BookEsim
        from apps.esim.services.refunds import RefundEsim, RequestRefund

        for handler in (BookEsim(), RefundEsim(), RequestRefund()):
            register(handler)
