"""Every control of the sandbox refuses a live key, before it looks at anything else of the call."""

import pytest

from apps.accounts.models import Account, AccountAuditEntry, Sandbox
from apps.ledger.models import LedgerTransaction
from tests.factories.keys import approved_account, issued_key
from tests.support.api import Api
from tests.support.operations import Operation, sandbox_operations

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("operation", sandbox_operations(), ids=lambda operation: operation.route.id)
@pytest.mark.parametrize("body", [None, {"amountCents": 1}, {"nonsense": True}])
def test_a_live_key_opens_no_control_of_the_sandbox(operation: Operation, body: object):
    live = Api(issued_key(approved_account(), environment="live")[1])
    trail = AccountAuditEntry.objects.count()

    refused = live.send(operation.method, operation.url_of("ford_1"), body)

    assert (refused.status, refused.error_type) == (403, "wrong_environment")
    assert (refused.error["gatewayEnvironment"], refused.error["keyEnvironment"]) == ("test", "live")
    counts = [rows.objects.count() for rows in (Account, Sandbox, LedgerTransaction, AccountAuditEntry)]
    assert counts == [1, 0, 0, trail]
