from django.apps import AppConfig


class HotelsConfig(AppConfig):
    name = "apps.hotels"

    def ready(self) -> None:
        from apps.bookings.handlers import register
        from apps.bookings.models import Product
        from apps.bookings.travellers import declare
        from apps.hotels.details import TRAVELLERS
        from apps.hotels.services.book import BookStay
        from apps.hotels.services.cancel import CancelStay
        from apps.hotels.services.change import ChangeStay
        from apps.hotels.services.correct_guest import CorrectGuest

        declare(Product.HOTEL, TRAVELLERS)
        for handler in (BookStay(), CancelStay(), ChangeStay(), CorrectGuest()):
            register(handler)
