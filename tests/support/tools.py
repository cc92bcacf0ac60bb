"""Tools that a partner has and a bare machine may lack."""

import os
import shutil

import pytest

needs_curl = pytest.mark.skipif(
    shutil.which("curl") is None and os.environ.get("REQUIRE_BROWSER") != "1",
    reason="waits for curl, which .ci/run installs; under REQUIRE_BROWSER=1 it is not skipped but fails",
)
