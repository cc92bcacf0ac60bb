"""All attacks, by name, in the order in which they are tried. An attack is a file here and a line below."""

from tests.siege.attack import Attack
from tests.siege.attacks import (
    beyond_limits,
    connections,
    dear_searches,
    half_bodies,
    hanging_endpoints,
    hung_suppliers,
    largest_bodies,
    sandbox_slowness,
    sign_ins,
    slow_everything,
    slow_headers,
    slow_readers,
    unauthenticated,
)

ATTACKS: dict[str, Attack] = {
    attack.name: attack
    for module in (
        half_bodies,
        slow_headers,
        slow_readers,
        slow_everything,
        connections,
        unauthenticated,
        sandbox_slowness,
        beyond_limits,
        dear_searches,
        sign_ins,
        hanging_endpoints,
        largest_bodies,
        hung_suppliers,
    )
    for attack in module.ATTACKS
}
