from django.apps import AppConfig


class TransfersConfig(AppConfig):
    name = "apps.transfers"

    def ready(self) -> None:
        from apps.bookings.handlers import register
        from apps.transfers.services.book import OrderTransfer
        from apps.transfers.services.cancel import CancelTransfer

        for handler in (OrderTransfer(), CancelTransfer()):
            register(handler)
