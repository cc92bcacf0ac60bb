from django.apps import AppConfig


class TransfersConfig(AppConfig):
    name = "apps.transfers"

    def ready(self) -> None:
        from apps.bookings.work import register, register_news_pause
        from apps.transfers.services.book import OrderTransfer
        from apps.transfers.services.cancel import CancelTransfer
        from apps.transfers.services.news import news_pause

        for work in (OrderTransfer(), CancelTransfer()):
            register(work)
        register_news_pause(OrderTransfer.product, news_pause)
