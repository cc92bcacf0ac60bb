"""What the pages of requests show."""

import re
from html import unescape


def shown(answer) -> list[str]:
    """The calls in a list, as `METHOD path`."""
    links = re.findall(r'class="row-link mono" href="[^"]+">(.+?)</a>', answer.content.decode())
    return [re.sub("<[^>]+>", "", link) for link in links]


def text_of(answer) -> str:
    return " ".join(unescape(re.sub("<[^>]+>", " ", answer.content.decode())).split())
