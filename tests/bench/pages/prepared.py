"""Fills the database of its environment with an account that has objects of every kind and many of them, and prints as JSON
how a browser asks for its pages: {"cookie", "names"}. A process of its own: `python -m tests.bench.pages.prepared`.
"""

import json
import os

import django
from django.test.utils import setup_test_environment


def main() -> None:
    from django.conf import settings

    from apps.accounts.models import Role
    from tests.factories.accounts import AccountFactory
    from tests.portal.person import member_of
    from tests.portal.sample_data import add_sample_data
    from tests.portal.sample_data.crowd import crowd

    owner = member_of(AccountFactory(name="Bench"), Role.OWNER)
    names = add_sample_data(owner.account, owner.user)
    crowd(owner.account, names)
    name = settings.SESSION_COOKIE_NAME
    print(json.dumps({"cookie": f"{name}={owner.client.cookies[name].value}", "names": names}))


if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings_test"
    django.setup()
    setup_test_environment()
    main()
