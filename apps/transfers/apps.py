from django.apps import AppConfig


class TransfersConfig(AppConfig):
    name = "apps.transfers"

    def ready(self) -> None:
        from apps.bookings.handlers import register
        from apps.bookings.models import Product
        from apps.bookings.travellers import declare
        from apps.transfers.services.book import OrderTransfer
        from apps.transfers.services.cancel import CancelTransfer
        from apps.transfers.travellers import TRAVELLERS

        declare(Product.TRANSFER, TRAVELLERS)
        for handler in (OrderTransfer(), CancelTransfer()):
            register(handler)
