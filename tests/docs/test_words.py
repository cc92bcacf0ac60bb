"""The deployment's own words: whom to ask, where to look, how to pay."""

import pytest
from django.test import Client

ADDRESS, STATUS = "help@example.com", "https://status.example.com/now"


def text_of(path: str) -> str:
    return Client().get(path).content.decode()


@pytest.mark.parametrize(
    "path", ["/docs/guides/limits", "/docs/errors/account_not_active", "/docs/errors/internal_error"]
)
def test_texts_that_say_ask_name_the_address(path, settings):
    settings.SUPPORT_EMAIL = ADDRESS
    article = text_of(path).partition("<article")[2]
    assert f'href="mailto:{ADDRESS}"' in article
    settings.SUPPORT_EMAIL = ""
    article = text_of(path).partition("<article")[2]
    assert ("mailto:" in article, "ask the people who run this service" in article) == (False, True)


def test_the_status_page_is_linked_if_the_deployment_has_one(settings):
    assert settings.STATUS_URL == ""
    assert "Service status" not in text_of("/docs/")
    settings.STATUS_URL = STATUS
    assert f'<a href="{STATUS}">Service status</a>' in text_of("/docs/")
