from django.apps import AppConfig


class BookingsConfig(AppConfig):
    name = "apps.bookings"

    def ready(self) -> None:
        from apps.bookings import checks, health, receivers  # noqa: F401  (two register themselves)
        from apps.bookings.models import TravellerKey
        from apps.bookings.pruning import is_open_under, remember_keys
        from apps.bookings.travellers import answer_at_rest, opened_answer, renew
        from apps.common.encryption import Part
        from apps.common.encryption import register_part as register_encrypted
        from apps.gateway.idempotency import register_memory, register_need, register_seal
        from apps.gateway.probes import register_part

        register_part("bookings", health.bookings)
        health.register()
        register_need(is_open_under)
        register_memory(remember_keys)
        register_encrypted(Part("bookings.TravellerKey", TravellerKey.objects.all, renew, ["wrapped"]))
        register_seal(answer_at_rest, opened_answer)
