"""Pictures of simulated hotels, drawn as SVG when they are requested, at addresses outside /v1 that need no key."""

import re

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from apps.suppliers.simulation import draw

PATH = "hotels/pictures/"
"""Where they lie, below the service's own address."""
SUBJECTS = {"front": "{} from the street", "room": "A room", "lobby": "The lobby", "pool": "The pool"}
OF_ROOMS = ("standard", "superior", "family", "bathroom")
NAME = re.compile(rf"htl_[0-9]{{1,9}}_[0-9]{{2}}-({'|'.join((*SUBJECTS, *OF_ROOMS))})")
WIDTH, HEIGHT = 640, 400


def drawn(name: str) -> str | None:
    """The SVG of `<hotel>-<subject>`, a card in the hotel's colours; None for a name of another form."""
    match = NAME.fullmatch(name)
    if match is None:
        return None
    hotel_id, subject = name.removesuffix(f"-{match[1]}"), match[1]
    hue = draw(0, 359, "hue", hotel_id)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="hsl({hue},38%,74%)"/>'
        f'<rect y="300" width="{WIDTH}" height="100" fill="hsl({hue},32%,52%)"/>'
        f'<text x="{WIDTH // 2}" y="200" font-family="sans-serif" font-size="48" text-anchor="middle" '
        f'fill="hsl({hue},45%,22%)">{subject.title()}</text></svg>'
    )


@require_safe
def hotel_picture(_request: HttpRequest, name: str) -> HttpResponse:
    """The picture of this name, whether or not there is such a hotel: it is drawn from its name alone."""
    svg = drawn(name)
    if svg is None:
        raise Http404
    response = HttpResponse(svg, content_type="image/svg+xml")
    response["Cache-Control"] = "public, max-age=86400"
    response["Content-Security-Policy"] = "default-src 'none'"
    return response
