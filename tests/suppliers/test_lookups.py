import pytest

from apps.suppliers.vendors import Lookups

LOOKUPS = Lookups(at=(30, 120, 600), give_up_after=3600)


@pytest.mark.parametrize(("elapsed", "first"), [(0, 30), (29.5, 30), (30, 30), (131, 131)])
def test_the_first_look_is_due_at_once_where_its_time_is_past(elapsed: float, first: float) -> None:
    assert LOOKUPS.first(elapsed) == first


@pytest.mark.parametrize(
    ("elapsed", "following"), [(0, 30), (30, 120), (131, 600), (600, 3600), (3599.9, 3600), (3600, None)]
)
def test_looks_follow_the_schedule_and_end_with_giving_up(elapsed: float, following: float | None) -> None:
    assert LOOKUPS.following(elapsed) == following
