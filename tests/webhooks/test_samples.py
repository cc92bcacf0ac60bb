from apps.webhooks.events import EMITTED, TEST
from apps.webhooks.services.send_test import sample_of, samples


def test_every_type_that_is_sent_has_a_sample_of_that_type() -> None:
    samples.cache_clear()
    assert set(samples()) == EMITTED | {TEST}
    assert {type: {each.payload["type"] for each in several} for type, several in samples().items()} == {
        type: {type} for type in samples()
    }


def test_a_sample_is_found_by_its_name_or_is_the_first() -> None:
    first, second = samples()["booking.confirmed"][:2]
    assert sample_of("booking.confirmed", "") == first
    assert sample_of("booking.confirmed", second.name) == second
    assert sample_of("booking.confirmed", "unheard") is None
    assert sample_of("booking.failed", "") is None
