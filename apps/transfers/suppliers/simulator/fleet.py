"""The vehicles: what they carry, what they cost, and how their cancellation is charged.

Between them every party up to 48 finds one, and every shape of policy can be met on any day: free until a day before, a fee from
the booking on, falling refunds, and nothing back at all.
"""

from dataclasses import dataclass

Steps = tuple[tuple[int | None, int], ...]
"""(hours before the pick-up, percent of the price); None hours: from the booking on."""

NOTHING_BACK: Steps = ((None, 100),)
FREE_UNTIL_THE_DAY_BEFORE: Steps = ((24, 100),)
A_FEE_THEN_ALL: Steps = ((None, 20), (24, 100))
FALLING: Steps = ((168, 30), (72, 60), (24, 100))


@dataclass(frozen=True, slots=True)
class Model:
    """A kind of vehicle. In euro cents: `base` for coming at all, `per_km`. A shared one asks its price of every head."""

    category: str
    names: tuple[str, ...]
    seats: int
    bags: int
    base: int
    per_km: int
    policy: Steps
    furthest_km: int = 3_200
    shared: bool = False


MODELS = (
    Model(
        "shuttle",
        ("Shared shuttle bus", "Shared airport coach"),
        seats=48,
        bags=48,
        base=450,
        per_km=16,
        policy=FREE_UNTIL_THE_DAY_BEFORE,
        furthest_km=300,
        shared=True,
    ),
    Model(
        "economy",
        ("Toyota Corolla or similar", "Skoda Octavia or similar", "VW Golf Estate or similar"),
        seats=3,
        bags=3,
        base=1_600,
        per_km=105,
        policy=FREE_UNTIL_THE_DAY_BEFORE,
    ),
    Model(
        "comfort",
        ("VW Passat or similar", "Toyota Camry or similar", "Ford Mondeo or similar"),
        seats=3,
        bags=3,
        base=2_100,
        per_km=128,
        policy=A_FEE_THEN_ALL,
    ),
    Model(
        "business",
        ("Mercedes-Benz E-Class or similar", "BMW 5 Series or similar", "Audi A6 or similar"),
        seats=3,
        bags=3,
        base=4_200,
        per_km=195,
        policy=NOTHING_BACK,
    ),
    Model(
        "minivan",
        ("VW Caravelle or similar", "Mercedes-Benz V-Class or similar", "Ford Tourneo or similar"),
        seats=7,
        bags=7,
        base=3_000,
        per_km=150,
        policy=A_FEE_THEN_ALL,
    ),
    Model(
        "minibus",
        ("Mercedes-Benz Sprinter or similar", "Ford Transit Minibus or similar"),
        seats=16,
        bags=16,
        base=6_500,
        per_km=240,
        policy=FALLING,
    ),
)
