"""The number of queries of every page for a large account."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.portal.pages import PAGES
from tests.portal.person import Person
from tests.portal.sample_data import add_sample_data
from tests.portal.sample_data.crowd import crowd

pytestmark = pytest.mark.django_db

MOST = 13


@pytest.mark.slow
def test_no_page_takes_more_than_thirteen_queries_however_much_there_is(portal: Person):
    names = add_sample_data(portal.account, portal.user)
    crowd(portal.account, names)
    costs, wrong = {}, {}
    for page in PAGES:
        with CaptureQueriesContext(connection) as captured:
            status = portal.get(page.path.format(**names)).status_code
        costs[page.name] = len(captured)
        if status != 200 or len(captured) > MOST:
            wrong[page.name] = (status, [query["sql"][:200] for query in captured])
    assert wrong == {}
    assert costs["team"] >= 3, "Session, user and memberships: they are counted"
