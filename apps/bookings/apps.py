from django.apps import AppConfig


class BookingsConfig(AppConfig):
    name = "apps.bookings"

    def ready(self) -> None:
        from apps.bookings import checks  # noqa: F401  (registers itself)
        from apps.bookings.health import bookings
        from apps.bookings.wakeups import wake_on_hints
        from apps.gateway.probes import register_part

        register_part("bookings", bookings)
        wake_on_hints()
