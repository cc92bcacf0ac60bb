"""What a bare machine may lack. Where .ci/run says that it must be there (REQUIRE_BROWSER=1), nothing is skipped: it fails."""

import os
import shutil

import pytest

REQUIRED = os.environ.get("REQUIRE_BROWSER") == "1"

needs_curl = pytest.mark.skipif(
    shutil.which("curl") is None and not REQUIRED,
    reason="waits for curl, which .ci/run installs; under REQUIRE_BROWSER=1 it is not skipped but fails",
)
needs_root = pytest.mark.skipif(
    os.geteuid() != 0 and not REQUIRED,
    reason="waits for root, who alone becomes another user; CI is root, and under REQUIRE_BROWSER=1 it fails instead",
)
