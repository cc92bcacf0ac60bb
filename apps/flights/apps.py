from django.apps import AppConfig


class FlightsConfig(AppConfig):
    name = "apps.flights"

    def ready(self) -> None:
        from apps.bookings.models import Product
        from apps.bookings.work import register, register_news_pause
        from apps.flights.services.book import OrderFlight
        from apps.flights.services.cancel import CancelFlight
        from apps.flights.services.change import ChangeFlight
        from apps.flights.services.creation_failed import believe_failed_creation
        from apps.flights.services.news import news_pause
        from apps.flights.suppliers.duffel import webhooks as duffel
        from apps.suppliers.webhooks import registry as webhooks

        for work in (OrderFlight(), ChangeFlight(), CancelFlight()):
            register(work)
        register_news_pause(Product.FLIGHT, news_pause)
        webhooks.register("duffel", webhooks.Source("flights", duffel.verify, believe_failed_creation))
