"""Pages on which staff decide: what each kind of them must say."""

from typing import Any

import pytest
from django.contrib import admin

from apps.accounts.models import Account
from apps.common.back_office import DecisionAdmin


def test_pages_without_verdicts_cannot_be_made() -> None:
    class OnlyFacts(DecisionAdmin):
        def facts(self, request: Any, obj: Any) -> list[tuple[str, object]]:
            return []

    with pytest.raises(TypeError, match="verdicts"):
        OnlyFacts(Account, admin.site)  # type: ignore[abstract]
