"""deploy/nginx and deploy/caddy: the proxies take the samples as they stand. What they let pass: tests/siege/test_siege.py."""

import subprocess
from pathlib import Path

from tests.support.stack import ROOT
from tests.support.tools import needs

NGINX = ROOT / "deploy/nginx"


@needs("nginx")
def test_nginx_takes_the_sample(tmp_path: Path) -> None:
    make = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    names = ["-subj", "/CN=api.example.com", "-keyout", "key.pem", "-out", "certificate.pem"]
    subprocess.run([*make, *names], cwd=tmp_path, check=True, stderr=subprocess.DEVNULL)
    for sample in NGINX.iterdir():
        text = sample.read_text().replace("/etc/ssl/travel-partner", str(tmp_path))
        (tmp_path / sample.name).write_text(text.replace("/var/log/nginx", str(tmp_path)))
    temporary = [
        f"{kind}_temp_path {tmp_path};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    ]
    (tmp_path / "nginx.cfg").write_text(
        f"pid {tmp_path}/pid; error_log stderr; events {{}} http {{ {' '.join(temporary)} include {tmp_path}/*.conf; }}"
    )
    checked = subprocess.run(
        ["nginx", "-t", "-q", "-p", tmp_path, "-c", tmp_path / "nginx.cfg"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert (checked.returncode, checked.stdout) == (0, "")


@needs("caddy")
def test_caddy_takes_the_sample(tmp_path: Path) -> None:
    sample = ROOT / "deploy/caddy/Caddyfile"
    checked = subprocess.run(
        ["caddy", "validate", "--adapter", "caddyfile", "--config", sample],
        env={"PATH": "/usr/bin:/usr/local/bin", "HOME": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert checked.returncode == 0
    assert [
        line for line in checked.stdout.splitlines() if '"level":"warn"' in line or "formatted" in line
    ] == []
