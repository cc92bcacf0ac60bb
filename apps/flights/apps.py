from django.apps import AppConfig


class FlightsConfig(AppConfig):
    name = "apps.flights"

    def ready(self) -> None:
        from apps.bookings.handlers import register
        from apps.bookings.models import Product
        from apps.bookings.travellers import declare
        from apps.flights.details import TRAVELLERS
        from apps.flights.services.accept_schedule_change import AcceptScheduleChange
        from apps.flights.services.add_services import BuyServices
        from apps.flights.services.book import OrderFlight
        from apps.flights.services.cancel import CancelFlight
        from apps.flights.services.change import ChangeFlight
        from apps.flights.services.pay import PayForFlight

        declare(Product.FLIGHT, TRAVELLERS)
        for handler in (
            OrderFlight(),
            ChangeFlight(),
            CancelFlight(),
            AcceptScheduleChange(),
            BuyServices(),
            PayForFlight(),
        ):
            register(handler)
