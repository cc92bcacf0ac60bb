"""The first call in three languages, with a secret or a placeholder."""

from dataclasses import dataclass

CURL = """\
curl -s {base}/v1/account \\
  -H "Authorization: Bearer {secret}"
"""
PYTHON = """\
import requests

answer = requests.get(
    "{base}/v1/account",
    headers={{"Authorization": "Bearer {secret}"}},
    timeout=30,
)
print(answer.status_code, answer.json())
"""
JAVASCRIPT = """\
const answer = await fetch("{base}/v1/account", {{
  headers: {{ Authorization: "Bearer {secret}" }},
}});
console.log(answer.status, await answer.json());
"""
LANGUAGES = {"curl": CURL, "Python": PYTHON, "JavaScript": JAVASCRIPT}


@dataclass(frozen=True, slots=True)
class Snippet:
    language: str
    code: str

    @property
    def anchor(self) -> str:
        return f"call-{self.language.lower()}"


def snippets(base_url: str, secret: str) -> list[Snippet]:
    return [
        Snippet(language, code.format(base=base_url, secret=secret).rstrip())
        for language, code in LANGUAGES.items()
    ]


def placeholder(environment: str) -> str:
    return f"svc_{environment}_…"
