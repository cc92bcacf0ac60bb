from django.apps import AppConfig


class HotelsConfig(AppConfig):
    name = "apps.hotels"

    def ready(self) -> None:
        from apps.bookings.work import register
        from apps.hotels.services.book import BookStay
        from apps.hotels.services.cancel import CancelStay

        for work in (BookStay(), CancelStay()):
            register(work)
