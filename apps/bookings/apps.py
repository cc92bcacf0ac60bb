from django.apps import AppConfig


class BookingsConfig(AppConfig):
    name = "apps.bookings"

    def ready(self) -> None:
        from apps.bookings.health import unresolved_operations
        from apps.gateway.probes import register_part

        register_part("bookings", unresolved_operations)
