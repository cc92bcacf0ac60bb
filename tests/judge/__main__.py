"""`python -m tests.judge [port]`: serve until killed; the first line on stdout is the judge's address."""

import os
import sys

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings_test")
django.setup()  # the simulators know of the clocks of test environments, which are rows

from tests.judge.server import JudgeServer  # noqa: E402

server = JudgeServer(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
print(f"http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
