from django.apps import AppConfig


class HotelsConfig(AppConfig):
    name = "apps.hotels"

    def ready(self) -> None:
        from apps.bookings.work import register
        from apps.hotels.services.book import BookStay
        from apps.hotels.services.cancel import CancelStay
        from apps.hotels.suppliers.liteapi import webhooks
        from apps.suppliers.webhooks.registry import Source
        from apps.suppliers.webhooks.registry import register as register_webhooks

        for work in (BookStay(), CancelStay()):
            register(work)
        register_webhooks("liteapi", Source(product="hotels", verify=webhooks.verify))
