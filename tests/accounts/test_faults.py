"""Which calls and deliveries go wrong, by seed and number."""

import pytest

from apps.accounts.faults import ERROR, LOST_ANSWER, Faults

NUMBERS = range(1, 5_001)
DIAL = Faults(error_share=2_000, lost_answer_share=2_000, duplicate_delivery_share=2_000, seed=7)
FIRST_TWELVE = [*[""] * 5, LOST_ANSWER, "", LOST_ANSWER, ERROR, "", LOST_ANSWER, LOST_ANSWER]
"""Of that dial."""


def decided(faults: Faults) -> list[str]:
    return [faults.of_call(number) for number in NUMBERS]


@pytest.mark.parametrize("seed", [0, 1, 7, 2**31 - 1])
@pytest.mark.parametrize("name", [ERROR, LOST_ANSWER])
def test_a_dial_at_a_fifth_takes_a_fifth_within_two_points(seed: int, name: str):
    faults = Faults(error_share=2_000, lost_answer_share=2_000, seed=seed)

    assert abs(decided(faults).count(name) / len(NUMBERS) - 0.2) < 0.02


@pytest.mark.parametrize("seed", [0, 1, 7])
def test_a_fifth_of_the_deliveries_come_twice(seed: int):
    faults = Faults(duplicate_delivery_share=2_000, seed=seed)

    assert abs(sum(map(faults.sends_twice, NUMBERS)) / len(NUMBERS) - 0.2) < 0.02


def test_the_same_seed_decides_the_same_and_another_does_not():
    assert decided(DIAL) == decided(Faults.of(DIAL.as_stored()))
    assert decided(DIAL) != decided(Faults.of({**DIAL.as_stored(), "seed": 8}))


def test_what_a_seed_decides_stays_so_in_every_release():
    assert [DIAL.of_call(number) for number in range(1, 13)] == FIRST_TWELVE


@pytest.mark.parametrize(
    ("faults", "names"),
    [
        (Faults(), {""}),
        (Faults(error_share=10_000), {ERROR}),
        (Faults(lost_answer_share=10_000), {LOST_ANSWER}),
        (Faults(error_share=4_000, lost_answer_share=6_000), {ERROR, LOST_ANSWER}),
    ],
)
def test_the_ends_of_the_scale_are_certain(faults: Faults, names: set[str]):
    assert set(decided(faults)) == names


def test_deliveries_keep_their_order_unless_they_are_shuffled():
    shuffled = Faults(shuffle_deliveries=1, seed=7)
    numbers = list(range(1, 26))

    assert sorted(numbers, key=Faults(seed=7).place) == numbers
    assert sorted(sorted(numbers, key=shuffled.place)) == numbers
    assert sorted(numbers, key=shuffled.place) != numbers
