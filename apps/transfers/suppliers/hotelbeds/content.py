"""What of a Hotelbeds service partners see. `documented_service.txt` has all of its fields."""

from pathlib import Path

from apps.suppliers.content import Content, documented_in
from apps.transfers.suppliers.hotelbeds.client import NAME

PICKUP = "pickupInformation.pickup"
DETAIL, REMARK = "content.transferDetailInfo[]", "content.transferRemarks[]"
WAITING = ("content.customerTransferTimeInfo[]", "content.supplierTransferTimeInfo[]")

SHOWN = {
    "transferType": "vehicle.class shuttle where it is shared",
    "maxPaxCapacity": "vehicle.maxPassengers",
    "vehicle.name": "vehicle.description, vehicle.class",
    "category.name": "vehicle.description, vehicle.class",
    "price.totalAmount": "totalCents where there is no net amount",
    "price.netAmount": "totalCents",
    "price.currencyId": "the currency of totalCents, or what it is converted from",
    "cancellationPolicies[].amount": "cancellationPolicy.amountCents",
    "cancellationPolicies[].from": "cancellationPolicy.from",
    "cancellationPolicies[].currencyId": "cancellationSteps is null where it is another currency than the price's",
    "extras[].code": "extras.code",
    "extras[].type": "extras.name",
    "extras[].name": "extras.name where there is no type",
    "extras[].amount": "extras.totalCents",
    "extras[].price": "extras.totalCents where there is no amount",
    "extras[].minUnits": "extras.minQuantity",
    "extras[].maxUnits": "extras.maxQuantity",
    "pickupInformation.from.code": "which of the legs it is",
    "pickupInformation.from.type": "which of the legs it is",
    "pickupInformation.date": "legs.pickupAt",
    "pickupInformation.time": "legs.pickupAt, null where it is not fixed",
    f"{PICKUP}.description": "pickup.instructions of an order that states none of its own",
    f"{PICKUP}.stopName": "pickup.instructions",
    f"{PICKUP}.address": "pickup.instructions",
    f"{PICKUP}.number": "pickup.instructions",
    f"{PICKUP}.zip": "pickup.instructions",
    f"{PICKUP}.town": "pickup.instructions",
    f"{PICKUP}.checkPickup": "pickup.instructions: when and where the time is to be looked up",
    f"{DETAIL}.id": "which of them says the minutes of the drive, and the luggage",
    f"{DETAIL}.value": "durationMinutes, vehicle.maxBags",
    f"{DETAIL}.name": "durationMinutes, vehicle.maxBags where there is no value",
    f"{WAITING[0]}.value": "waitingTimes.minutes of the customer",
    f"{WAITING[0]}.metric": "whether these are minutes or hours",
    f"{WAITING[1]}.value": "waitingTimes.minutes of the driver",
    f"{WAITING[1]}.metric": "whether these are minutes or hours",
    f"{REMARK}.description": "remarks",
    f"{REMARK}.mandatory": "which remarks travellers must be informed of: these are shown",
}

OURS = "an id of theirs: we keep it where an order needs it, partners have ids of ours"
ASKED = "partners see the ends as they searched for them"
TWICE = "the same as the vehicle and the category above it"
PLACE = "the address says it"

WITHHELD = {
    "id": "a position in the list",
    "direction": "by the terminal, not by the leg; legs.direction says which leg it is",
    "rateKey": OURS,
    "minPaxCapacity": "only what the party fits in is answered",
    "vehiclesNumber": "the price is for the whole party, in as many vehicles as that takes",
    "factsheetId": OURS,
    "vehicle.code": "the vehicle's name says it; finds the same service again before an order",
    "category.code": "the category's name says it; finds the same service again before an order",
    "cancellationPolicies[].utcOffset": "seen in few answers; policies run on the destination's clock, which is known",
    "cancellationPolicies[].isForceMajeure": "seen in few answers and not documented",
    "extras[].required": "what is sold only with an extra is counted as unsupported",
    "pickupInformation.from.description": ASKED,
    "pickupInformation.to": ASKED,
    f"{PICKUP}.pickupId": OURS,
    f"{PICKUP}.latitude": PLACE,
    f"{PICKUP}.longitude": PLACE,
    f"{PICKUP}.image": "an address of a supplier's picture: partners show pictures of their own",
    "content.vehicle": TWICE,
    "content.category": TWICE,
    "content.images": "addresses of a supplier's pictures: partners show pictures of their own",
    f"{DETAIL}.description": (
        "a catalogue of what every ride of a kind has; terms that travellers must be informed of are remarks"
    ),
    f"{DETAIL}.type": "groups the details for their own display",
    f"{WAITING[0]}.type": "who waits is known by the list; domestic and international are not distinguished",
    f"{WAITING[1]}.type": "who waits is known by the list; domestic and international are not distinguished",
    f"{REMARK}.type": "every remark has the same one",
    "links": "addresses of their own API",
}

SERVICE = Content(
    supplier=NAME,
    subject="service",
    documented=documented_in(Path(__file__).with_name("documented_service.txt")),
    shown=SHOWN,
    withheld=WITHHELD,
)
