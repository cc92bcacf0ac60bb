"""Staff in front of the back office, and what is looked for on every page of it."""

import re
from typing import Any

from django.contrib.auth.models import Permission
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from apps.accounts.models import User
from tests.factories.accounts import UserFactory

MOST_QUERIES = 20
INLINE = re.compile(r"<style|\sstyle=|\son[a-z]+=\"|<script(?![^>]*\ssrc=)|javascript:", re.IGNORECASE)


class Desk(Client):
    """The browser of one of the staff: `Desk()` may do everything, `Desk("ledger.view_wallet")` just that."""

    def __init__(self, *rights: str, everything: bool | None = None) -> None:
        super().__init__()
        self.user: User = UserFactory(
            is_staff=True, is_superuser=not rights if everything is None else everything
        )
        for right in rights:
            app, codename = right.split(".")
            self.user.user_permissions.add(
                Permission.objects.get(content_type__app_label=app, codename=codename)
            )
        self.force_login(self.user)

    def decide(self, page: str, verdict: str, **given: object) -> Any:
        """Post a verdict of a decision page; the page that follows."""
        form = {f"{verdict}-{name}": value for name, value in given.items()}
        return self.post(page, {"verdict": verdict, **form}, follow=True)

    def act(self, page: str, action: str, *rows: Any) -> Any:
        """Carry out an action of a list on some of its rows; the page that follows."""
        chosen = {"action": action, "_selected_action": [row.pk for row in rows]}
        return self.post(page, chosen, follow=True)


def faults_of(desk: Client, page: str) -> list[str]:
    """What is wrong with a page: its status, too many queries, anything that the Content-Security-Policy would refuse."""
    with CaptureQueriesContext(
        connection,
    ) as queries:
        answer = desk.get(page)
    if answer.status_code != 200:
        return [f"{page}: {answer.status_code}"]
    html = answer.content.decode()
    inline = [f"{page}: {html[hit.start() - 40 : hit.end() + 40]!r}" for hit in INLINE.finditer(html)]
    many = [f"{page}: {len(queries)} queries"] if len(queries) > MOST_QUERIES else []
    return inline + many


def told(answer: Any) -> list[str]:
    """The messages at the top of the page."""
    return [str(message) for message in answer.context["messages"]]
