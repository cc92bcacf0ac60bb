"""The settings in the guide "Let an assistant book" are what its clients and our command take."""

import json
import re

import pytest
from django.conf import settings
from travel_partner.__main__ import main

from apps.docs.guides import GUIDES
from apps.keys.scopes import ENFORCED
from apps.mcp.tools import TOOLS
from tests.factories.gateway import api_of_new_partner
from tests.mcp.assistant import Assistant

BLOCK = re.compile(r"```(\w+)\n(.*?)```", re.DOTALL)


def blocks() -> list[tuple[str, str]]:
    guide = next(guide for guide in GUIDES if guide.slug == "assistants")
    return BLOCK.findall(guide.text())


def test_the_settings_name_the_address_and_the_key() -> None:
    claude, vs_code, desktop = (json.loads(text) for language, text in blocks() if language == "json")
    for servers in (claude["mcpServers"], vs_code["servers"]):
        server = servers["travel-partner"]
        assert (server["type"], server["url"]) == ("http", f"{settings.PUBLIC_BASE_URL}/mcp")
        assert server["headers"]["Authorization"].startswith("Bearer ${")
    assert f"${{input:{vs_code['inputs'][0]['id']}}}" in json.dumps(vs_code["servers"])
    assert desktop["mcpServers"]["travel-partner"]["command"] == "travel-partner"


def test_the_program_takes_the_options_of_the_settings(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    *_, desktop = (json.loads(text) for language, text in blocks() if language == "json")
    arguments = desktop["mcpServers"]["travel-partner"]["args"]
    monkeypatch.delenv("TRAVEL_PARTNER_API_KEY", raising=False)
    with pytest.raises(SystemExit):  # all that it lacks is what `env` has
        main(arguments)
    assert "TRAVEL_PARTNER_API_KEY" in capsys.readouterr().err


@pytest.mark.django_db
def test_the_check_lists_the_tools() -> None:
    (command,) = (text for language, text in blocks() if language == "bash")
    sent = re.search(r"-d '(.*)'", command)[1]
    reply = Assistant(api_of_new_partner(scopes=sorted(ENFORCED))).send(sent.encode())
    assert [tool["name"] for tool in reply.body["result"]["tools"]] == list(TOOLS)
