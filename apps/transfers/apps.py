from django.apps import AppConfig


class TransfersConfig(AppConfig):
    name = "apps.transfers"

    def ready(self) -> None:
        from apps.bookings.work import register
        from apps.transfers.services.book import OrderTransfer
        from apps.transfers.services.cancel import CancelTransfer

        for work in (OrderTransfer(), CancelTransfer()):
            register(work)
