"""What a form or a service rejects: beside its field, or above the form, and in a summary that has the focus."""

import re

import pytest

from tests.portal.pages import PAGES
from tests.portal.person import Person
from tests.portal.sample_data import add_sample_data

REJECTED = [
    *((page.path, "") for page in PAGES if page.posts),
    *(
        (page, "since=junk")
        for page in ("/portal/test/requests/", "/portal/test/bookings/", "/portal/audit/")
    ),
    ("/portal/test/webhooks/{endpoint}/recover/", "since=junk"),
    ("/account/password/change/", ""),
    ("/account/two-factor/reauthenticate/", ""),
]
"""Addresses of forms that are sent empty, or are asked for with a query that they reject."""


@pytest.mark.django_db
def test_a_rejected_form_says_so_in_the_title_and_in_a_summary_that_has_the_focus(portal: Person):
    names = add_sample_data(portal.account, portal.user)
    rejected = set()
    for path, query in REJECTED:
        address = path.format(**names)
        answer = portal.get(f"{address}?{query}") if query else portal.client.post(address, {})
        form = (answer.context or {}).get("form")
        html = answer.content.decode()
        if form is None or not form.errors or not any(f'name="{name}"' in html for name in form.fields):
            continue  # a button, or a form that the page does not offer now
        assert html.count("<title>Error: ") == 1, address
        assert html.count(" autofocus") == 1, address
        [summary] = re.findall(
            r'<div class="alert alert-error" role="alert" tabindex="-1" autofocus>(.*?)</ul>', html, re.S
        )
        assert summary.count("<li>") == sum(map(len, form.errors.values())) >= 1, address
        for target in re.findall(r'href="#([^"]+)"', summary):
            assert html.count(f'id="{target}"') == 1, (address, target)
        rejected.add(path)
    print(sorted(path for path, _ in REJECTED if path not in rejected))
    assert len(rejected) >= 20
