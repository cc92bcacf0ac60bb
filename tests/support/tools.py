"""What a bare machine may lack. Where .ci/run says that it must be there (REQUIRE_BROWSER=1), nothing is skipped: it fails."""

import os
import shutil

import pytest

REQUIRED = os.environ.get("REQUIRE_BROWSER") == "1"


def needs(tool: str) -> pytest.MarkDecorator:
    """Skips a test on a machine without this program of Debian's."""
    return pytest.mark.skipif(
        shutil.which(tool) is None and not REQUIRED,
        reason=f"waits for {tool}, which .ci/run installs; under REQUIRE_BROWSER=1 it is not skipped but fails",
    )


needs_curl = needs("curl")
