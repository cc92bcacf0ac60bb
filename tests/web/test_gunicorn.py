"""config/web/gunicorn.py."""

import json
import os
import subprocess
import sys

from tests.support.stack import ROOT

SAYS = """
import runpy
from gunicorn.config import Config
from gunicorn.glogging import Logger
read = runpy.run_path("config/web/gunicorn.py")
config = Config()
config.set("logconfig_dict", read["logconfig_dict"])
Logger(config).warning("a process %s", "ended")
"""


def test_what_gunicorn_says_is_one_line_of_json_where_all_else_is() -> None:
    environment = {**os.environ, "LOG_FORMAT": "json"}
    said = subprocess.run(
        [sys.executable, "-c", SAYS], cwd=ROOT, env=environment, check=True, stderr=subprocess.PIPE, text=True
    )
    (line,) = [json.loads(line) for line in said.stderr.splitlines()]
    assert (line["level"], line["logger"], line["message"]) == (
        "WARNING",
        "gunicorn.error",
        "a process ended",
    )
