"""The tables are those that the models describe."""

import pytest
from django.core.management import call_command


@pytest.mark.django_db
def test_no_model_says_what_no_migration_has_made(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("makemigrations", "gateway", check_changes=True, dry_run=True)

    assert capsys.readouterr().out == "No changes detected in app 'gateway'\n"
