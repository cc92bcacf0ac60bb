import inspect
import re

import pytest

from apps.webhooks import causes
from apps.webhooks.causes import ADVICE, OF_OTHERS, OF_SERVER_ERRORS, OF_STATUS, advice_for


def test_every_cause_has_its_advice():
    codes = set(re.findall(r'Cause\("(\w+)"', inspect.getsource(causes)))
    assert codes == set(ADVICE) | {"status"}


@pytest.mark.parametrize(
    ("code", "status", "said"),
    [
        ("timeout", None, ADVICE["timeout"]),
        ("gone", 410, ADVICE["gone"]),
        *(("status", status, OF_STATUS[status]) for status in (400, 401, 403, 404, 405, 413, 429)),
        ("status", 500, OF_SERVER_ERRORS),
        ("status", 503, OF_SERVER_ERRORS),
        ("status", 499, OF_OTHERS),
        ("status", 300, OF_OTHERS),
        ("status", 199, OF_OTHERS),
        ("", 200, ""),
        ("", 299, ""),
        ("status", 418, OF_OTHERS),
        ("", 204, ""),
        ("", None, ""),
    ],
)
def test_what_to_do_follows_from_the_cause_and_the_status(code, status, said):
    assert advice_for(code, status) == said
