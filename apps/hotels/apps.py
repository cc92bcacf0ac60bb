from django.apps import AppConfig


class HotelsConfig(AppConfig):
    name = "apps.hotels"

    def ready(self) -> None:
        from apps.bookings.handlers import register
        from apps.hotels.services.book import BookStay
        from apps.hotels.services.cancel import CancelStay

        for handler in (BookStay(), CancelStay()):
            register(handler)
