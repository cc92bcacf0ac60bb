"""Every column of time is in one of the tables of docs/sandbox-clock.md, and the tables name nothing else."""

import re
from pathlib import Path

from django.apps import apps
from django.db import models

PAGE = Path(__file__).parents[2] / "docs/sandbox-clock.md"
LINE = re.compile(r"^\| `(\w+\.\w+)` \| ([^|]*)\|", re.M)


def test_every_column_of_time_says_how_it_follows_the_clock() -> None:
    found = {
        f"{model._meta.label}.{field.name}"
        for model in apps.get_models()
        if model.__module__.startswith("apps.") and not model._meta.proxy
        for field in model._meta.fields
        if isinstance(field, models.DateField)
    }
    named = [
        f"{model}.{column}"
        for model, columns in LINE.findall(PAGE.read_text())
        for column in re.findall(r"`(\w+)`", columns)
    ]
    twice = {"bookings.Operation.lease_until", "gateway.IdempotencyRecord.lease_until"}
    assert (sorted(found - set(named)), sorted(set(named) - found)) == ([], [])
    assert {name for name in named if named.count(name) > 1} - twice == set()
