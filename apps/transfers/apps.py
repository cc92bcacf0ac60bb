from django.apps import AppConfig


class TransfersConfig(AppConfig):
    name = "apps.transfers"

    def ready(self) -> None:
        from apps.bookings.handlers import register
        from apps.bookings.models import Product
        from apps.bookings.travellers import declare
        from apps.transfers.details import TRAVELLERS
        from apps.transfers.services.book import OrderTransfer
        from apps.transfers.services.cancel import CancelTransfer

        declare(Product.TRANSFER, TRAVELLERS)
        for handler in (OrderTransfer(), CancelTransfer()):
            register(handler)
