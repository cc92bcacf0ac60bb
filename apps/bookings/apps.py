from django.apps import AppConfig


class BookingsConfig(AppConfig):
    name = "apps.bookings"

    def ready(self) -> None:
        from apps.bookings.health import unresolved_operations
        from apps.bookings.wakeups import wake_on_hints
        from apps.gateway.probes import register_part

        register_part("bookings", unresolved_operations)
        wake_on_hints()
