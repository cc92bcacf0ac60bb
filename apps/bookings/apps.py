from django.apps import AppConfig


class BookingsConfig(AppConfig):
    name = "apps.bookings"

    def ready(self) -> None:
        from apps.bookings import checks, metrics, receivers  # noqa: F401  (they register themselves)
        from apps.bookings.health import bookings
        from apps.bookings.services.prune import is_open_under, remember_keys
        from apps.bookings.wakeups import wake_on_hints
        from apps.gateway.idempotency import register_memory, register_need
        from apps.gateway.probes import register_part

        register_part("bookings", bookings)
        metrics.register()
        register_need(is_open_under)
        register_memory(remember_keys)
        wake_on_hints()
