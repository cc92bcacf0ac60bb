from django.apps import AppConfig


class FlightsConfig(AppConfig):
    name = "apps.flights"

    def ready(self) -> None:
        from apps.bookings.work import register
        from apps.flights.services.book import OrderFlight
        from apps.flights.services.cancel import CancelFlight
        from apps.flights.services.change import ChangeFlight
        from apps.flights.services.creation_failed import believe_failed_creation
        from apps.flights.suppliers.duffel import webhooks as duffel
        from apps.suppliers.webhooks import registry as webhooks

        for work in (OrderFlight(), ChangeFlight(), CancelFlight()):
            register(work)
        webhooks.register("duffel", webhooks.Source("flights", duffel.verify, believe_failed_creation))
