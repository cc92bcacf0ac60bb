from collections.abc import Iterator

import pytest

from tests.support.recorded import Recorded, recording


@pytest.fixture
def recorded() -> Iterator[Recorded]:
    with recording() as spans:
        yield spans
