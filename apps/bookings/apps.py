from django.apps import AppConfig


class BookingsConfig(AppConfig):
    name = "apps.bookings"

    def ready(self) -> None:
        from apps.bookings import checks, health, receivers  # noqa: F401  (two register themselves)
        from apps.bookings.last_names import hash_again, to_hash
        from apps.bookings.models import TravellerKey
        from apps.bookings.pruning import is_open_under, remember_keys
        from apps.bookings.travellers import answer_at_rest, opened_answer, renew
        from apps.common.encryption import Part
        from apps.common.encryption import register_part as register_encrypted
        from apps.gateway import idempotency
        from apps.gateway.probes import register_part

        register_part("bookings", health.bookings)
        health.register()
        idempotency.hooks = idempotency.Hooks(
            needed=is_open_under, remember=remember_keys, seal=answer_at_rest, unseal=opened_answer
        )
        register_encrypted(Part("bookings.TravellerKey", TravellerKey.objects.all, renew, ["wrapped"]))
        register_encrypted(Part("bookings.TravellerKey.last_names", to_hash, hash_again, ["last_names"]))
