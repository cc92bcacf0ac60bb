"""`python -m tests.judge [port]`: serve until killed; the first line on stdout is the judge's address."""

import sys

from tests.judge.server import JudgeServer

server = JudgeServer(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
print(f"http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
