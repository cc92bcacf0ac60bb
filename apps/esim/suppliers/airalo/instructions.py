"""Airalo's installation instructions in our words: a list of guides for each platform, each with three lists of steps."""

from collections.abc import Iterator, Mapping
from typing import Any

from apps.esim.suppliers.airalo.catalogue import items
from apps.esim.suppliers.airalo.mapping import text
from apps.esim.suppliers.base import PLATFORMS, Guide, Instructions

LANGUAGE = "en"
LONGEST_STEP = 1_000
MOST_STEPS = 30
MOST_GUIDES = 20


def instructions_of(data: Mapping[str, Any]) -> Instructions:
    """Raises ValueError where there is not one guide with steps."""
    told = data["instructions"]
    guides = tuple(guide for platform in PLATFORMS for guide in guides_of(platform, told.get(platform)))
    if not guides:
        raise ValueError("instructions without a step")
    return Instructions(LANGUAGE, guides[:MOST_GUIDES])


def guides_of(platform: str, told: Any) -> Iterator[Guide]:
    """A guide that has no steps to install is none."""
    for one in items(told) if isinstance(told, list | dict) else []:
        if not isinstance(one, dict):
            continue
        network = part_of(one, "network_setup")
        by_hand = text(network.get("apn_type")) == "manual"
        guide = Guide(
            platform=platform,
            version=text(one.get("version")) or None,
            model=text(one.get("model")) or None,
            qr_code_steps=steps_of(part_of(one, "installation_via_qr_code")),
            manual_steps=steps_of(part_of(one, "installation_manual")),
            network_steps=steps_of(network),
            apn=(text(network.get("apn_value")) or None) if by_hand else None,
            data_roaming=network.get("is_roaming") if isinstance(network.get("is_roaming"), bool) else None,
        )
        if guide.qr_code_steps or guide.manual_steps:
            yield guide


def part_of(guide: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    part = guide.get(name)
    return part if isinstance(part, dict) else {}


def steps_of(part: Mapping[str, Any]) -> tuple[str, ...]:
    """`{"1": "…", "2": "…"}` in the order of its numbers, or a list."""
    steps = part.get("steps")
    if isinstance(steps, dict):
        steps = [steps[number] for number in sorted(steps, key=_number)]
    found = [text(step)[:LONGEST_STEP] for step in steps] if isinstance(steps, list) else []
    return tuple(step for step in found if step)[:MOST_STEPS]


def _number(key: str) -> tuple[int, str]:
    return (int(key), key) if key.isascii() and key.isdigit() and len(key) < 4 else (10_000, key)
