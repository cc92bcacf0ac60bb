"""What the simulator says of its hotels: in every language the same facts, and a renovation now and then."""

from datetime import UTC, datetime, timedelta

import pytest

from apps.hotels.suppliers.base import images_in
from apps.hotels.suppliers.simulator import catalogue, properties
from apps.hotels.suppliers.simulator.catalogue import ALWAYS, FROM_STARS
from apps.hotels.suppliers.simulator.texts import LANGUAGES, TEXTS
from apps.suppliers.errors import Missing

NOW = datetime(2026, 11, 28, 12, tzinfo=UTC)
LISBON = "htl_2267057_00"
AMENITIES = {*ALWAYS, *(amenity for several in FROM_STARS.values() for amenity in several)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_words_for_everything(language: str) -> None:
    texts, english = TEXTS[language], TEXTS["en"]
    assert set(texts.facilities) == AMENITIES
    for name in ("classes", "rooms", "rules", "pictures"):
        assert getattr(texts, name).keys() == getattr(english, name).keys()
    for name in ("surroundings", "views", "room_amenities"):
        assert len(getattr(texts, name)) == len(getattr(english, name))
    assert "{amount}" in texts.deposit


@pytest.mark.django_db
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("position", range(8))
def test_a_description_is_about_its_hotel(position: int, language: str) -> None:
    hotel = catalogue.find(f"htl_2267057_{position:02d}")
    assert hotel is not None
    described = properties.describe(hotel.hotel_id, language)
    details, listed = described.details, described.listed
    assert listed is not None
    assert (listed.name, listed.city, listed.country) == (hotel.name, hotel.city, hotel.country)
    assert details.description is not None
    assert hotel.name in details.description
    assert [image.url for image in details.images] == [image.url for image in images_in(hotel.images)]
    assert [facility.key for facility in details.facilities] == [*hotel.amenities]
    assert ("pets" in {rule.kind for rule in details.rules}) == ("pets_allowed" in hotel.amenities)
    assert "{" not in str(details)


@pytest.mark.parametrize("hotel_id", ["htl_1_00", "htl_2267057_25", "nope", ""])
@pytest.mark.django_db
def test_an_unknown_hotel(hotel_id: str) -> None:
    with pytest.raises(Missing):
        properties.describe(hotel_id, "en")


def test_a_renovation_comes_every_ninety_days_and_shows_in_the_list() -> None:
    renovated = properties.renovated_at(LISBON, NOW)
    assert NOW - timedelta(days=90) < renovated <= NOW
    just_before = renovated - timedelta(seconds=1)
    assert properties.renovated_at(LISBON, just_before) == renovated - timedelta(days=90)
    before, after = (properties.listed(LISBON, at) for at in (just_before, renovated))
    assert before != after
    assert properties.listed(LISBON, NOW) == after


def test_brands_are_chains() -> None:
    chains = {catalogue.chain_of(f"htl_2267057_{position:02d}") for position in range(8)}
    assert "" in chains
    assert len(chains) == 3
    assert not any("{" in chain for chain in chains)
