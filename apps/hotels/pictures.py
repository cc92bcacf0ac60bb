"""Pictures of simulated hotels, drawn as SVG when they are requested, at addresses outside /v1 that need no key."""

import re
from functools import lru_cache

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from apps.suppliers.simulation import draw

PATH = "hotels/pictures/"
"""Where they lie, below the service's own address."""
SUBJECTS = {"front": "{} from the street", "room": "A room", "lobby": "The lobby", "pool": "The pool"}
NAME = re.compile(rf"htl_[0-9]{{1,9}}_[0-9]{{2}}-({'|'.join(SUBJECTS)})")
WIDTH, HEIGHT = 640, 400


@lru_cache(maxsize=256)
def drawn(name: str) -> str | None:
    """The SVG of `<hotel>-<subject>`; None for a name of another form."""
    match = NAME.fullmatch(name)
    if match is None:
        return None
    hotel_id, subject = name.removesuffix(f"-{match[1]}"), match[1]
    hue = draw(0, 359, "hue", hotel_id)
    shapes = {"front": _front, "room": _room, "lobby": _lobby, "pool": _pool}[subject](hotel_id, hue)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">'
        f"{''.join(shapes)}</svg>"
    )


def _box(x: int, y: int, width: int, height: int, colour: str, round_by: int = 0) -> str:
    corners = f' rx="{round_by}"' if round_by else ""
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{colour}"{corners}/>'


def _colour(hue: int, saturation: int, lightness: int) -> str:
    return f"hsl({hue % 360},{saturation}%,{lightness}%)"


def _front(hotel_id: str, hue: int) -> list[str]:
    """A house of some storeys with lit and dark windows under the sky."""
    storeys, columns = draw(3, 6, "storeys", hotel_id), draw(4, 7, "columns", hotel_id)
    width, top = columns * 60 + 20, HEIGHT - 60 - storeys * 50
    left = (WIDTH - width) // 2
    shapes = [
        _box(0, 0, WIDTH, HEIGHT, _colour(205, 60, 82)),
        _box(0, HEIGHT - 50, WIDTH, 50, _colour(95, 25, 62)),
        _box(left, top, width, HEIGHT - 40 - top, _colour(hue, 38, 68)),
        _box(left - 10, top - 14, width + 20, 14, _colour(hue, 38, 45)),
    ]
    for place in range(storeys * columns):
        storey, column = divmod(place, columns)
        lit = draw(0, 2, "window", hotel_id, place) == 0
        glass = _colour(48, 90, 78) if lit else _colour(hue, 25, 38)
        shapes.append(_box(left + 20 + column * 60, top + 14 + storey * 50, 40, 28, glass, 2))
    shapes.append(_box(WIDTH // 2 - 22, HEIGHT - 78, 44, 38, _colour(hue, 45, 26), 3))
    return shapes


def _room(hotel_id: str, hue: int) -> list[str]:
    """A bed beside a window."""
    bed = draw(90, 170, "bed", hotel_id)
    return [
        _box(0, 0, WIDTH, HEIGHT, _colour(hue, 24, 88)),
        _box(0, 300, WIDTH, 100, _colour(30, 30, 58)),
        _box(420, 60, 150, 150, _colour(205, 60, 82), 4),
        _box(492, 60, 6, 150, _colour(hue, 15, 96)),
        _box(bed, 170, 230, 80, _colour(30, 35, 38), 8),
        _box(bed, 230, 250, 90, _colour(hue, 45, 55), 8),
        _box(bed + 18, 205, 80, 36, _colour(hue, 10, 97), 10),
        _box(bed + 120, 205, 80, 36, _colour(hue, 10, 97), 10),
    ]


def _lobby(hotel_id: str, hue: int) -> list[str]:
    """A desk under lamps."""
    lamps = draw(2, 5, "lamps", hotel_id)
    shapes = [
        _box(0, 0, WIDTH, HEIGHT, _colour(hue + 20, 20, 84)),
        _box(0, 310, WIDTH, 90, _colour(35, 18, 68)),
        _box(150, 220, 340, 110, _colour(25, 40, 34), 6),
        _box(140, 208, 360, 16, _colour(25, 30, 22), 4),
    ]
    for lamp in range(lamps):
        x = (lamp + 1) * WIDTH // (lamps + 1)
        shapes += [_box(x - 1, 0, 2, 70, "#555"), _box(x - 18, 70, 36, 22, _colour(48, 85, 72), 11)]
    return shapes


def _pool(hotel_id: str, hue: int) -> list[str]:
    """Water with deck chairs."""
    chairs = draw(3, 6, "chairs", hotel_id)
    shapes = [
        _box(0, 0, WIDTH, HEIGHT, _colour(40, 35, 82)),
        _box(60, 150, 520, 180, _colour(192, 65, 58), 40),
        _box(90, 180, 460, 6, _colour(192, 60, 74), 3),
        _box(90, 240, 460, 6, _colour(192, 60, 74), 3),
    ]
    return shapes + [_box(60 + chair * 100, 80, 60, 26, _colour(hue, 55, 60), 6) for chair in range(chairs)]


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
