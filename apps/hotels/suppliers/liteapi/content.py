"""What of LiteAPI's rates and hotels partners see. The `documented_….txt` beside it have all of their fields."""

from pathlib import Path

from apps.hotels.suppliers.liteapi.client import NAME
from apps.suppliers.content import Content, documented_in

ROOM_TYPE = "roomTypes[]"
RATE = f"{ROOM_TYPE}.rates[]"
RETAIL = f"{RATE}.retailRate"

OURS = "an id of theirs: we keep it where a booking needs it, partners have ids of ours"
ASKED = "what was searched for, again"
BEHIND = "who stands behind LiteAPI: it changes nothing for the traveller"
PAYING = "how we pay LiteAPI"
NOT_SOLD = "decides whether we can sell the rate"
WORTH = "what a perk is worth: no money off"
INITIAL = "a price before a discount, which nobody pays"

RATES = Content(
    supplier=NAME,
    subject="rate",
    documented=documented_in(Path(__file__).with_name("documented_offer.txt")),
    shown={
        "hotelId": "which hotel the rate is of",
        f"{ROOM_TYPE}.offerRetailRate": "totalCents, less the commission",
        f"{ROOM_TYPE}.suggestedSellingPrice.amount": "suggestedRetailCents is never below it",
        f"{ROOM_TYPE}.suggestedSellingPrice.currency": "the currency of suggestedRetailCents",
        f"{RATE}.name": "roomName, rooms.name",
        f"{RATE}.maxOccupancy": "rooms.maxOccupancy",
        f"{RATE}.boardType": "board.code",
        f"{RATE}.boardName": "board.name",
        f"{RATE}.commission": "taken off totalCents: the price is net",
        f"{RETAIL}.total": "totalCents, where the whole has no price",
        f"{RETAIL}.suggestedSellingPrice[].amount": "suggestedRetailCents, where the whole names none",
        f"{RETAIL}.suggestedSellingPrice[].currency": "the currency of suggestedRetailCents",
        f"{RETAIL}.taxesAndFees": "taxes, payAtHotel, totalWithLocalChargesCents",
        f"{RATE}.cancellationPolicies": "cancellationPolicy, cancellationSteps, refundable",
        f"{RATE}.mappedRoomId": "which room of the hotel says rooms.beds and rooms.sizeM2",
        f"{RATE}.remarks": "remarks.text, as plain text",
        f"{RATE}.perks[].name": "perks.name",
        f"{RATE}.promotions": "promotions.name",
        f"{RETAIL}.promotions[].name": "promotions.name",
        f"{RETAIL}.promotions[].from": "promotions.from",
        f"{RETAIL}.promotions[].to": "promotions.to",
        f"{RETAIL}.promotions[].discount": "promotions.percent, where it is one",
        f"{RETAIL}.promotions[].discountType": "whether the discount is promotions.percent",
    },
    withheld={
        "et": "seconds that their offer lives: hours, and ours ends after 20 minutes",
        f"{ROOM_TYPE}.roomTypeId": OURS,
        f"{ROOM_TYPE}.offerId": OURS,
        f"{ROOM_TYPE}.supplier": BEHIND,
        f"{ROOM_TYPE}.supplierId": BEHIND,
        f"{ROOM_TYPE}.rateType": NOT_SOLD,
        f"{ROOM_TYPE}.priceType": PAYING,
        f"{ROOM_TYPE}.paymentTypes": NOT_SOLD,
        f"{ROOM_TYPE}.loyaltyMembershipIdRequired": NOT_SOLD,
        f"{ROOM_TYPE}.suggestedSellingPrice.source": BEHIND,
        f"{ROOM_TYPE}.offerInitialPrice": INITIAL,
        f"{RATE}.rateId": OURS,
        f"{RATE}.occupancyNumber": "rooms are in the order of the search",
        f"{RATE}.adultCount": ASKED,
        f"{RATE}.childCount": ASKED,
        f"{RATE}.childrenAges": ASKED,
        f"{RATE}.priceType": PAYING,
        f"{RATE}.paymentTypes": NOT_SOLD,
        f"{RETAIL}.suggestedSellingPrice[].source": BEHIND,
        f"{RETAIL}.initialPrice": INITIAL,
        f"{RETAIL}.promotions[].promotionCode": "a code of theirs, which buys nothing",
        f"{RETAIL}.promotions[].currency": "of a discount, which the price has already",
        f"{RATE}.perks[].perkId": OURS,
        f"{RATE}.perks[].amount": WORTH,
        f"{RATE}.perks[].currency": WORTH,
        f"{RATE}.perks[].level": "whom else they give it to",
    },
    not_yet={},
)

FOUND_HOTEL = Content(
    supplier=NAME,
    subject="hotel in a search",
    documented=documented_in(Path(__file__).with_name("documented_found_hotel.txt")),
    shown={
        "id": "hotelId",
        "name": "name",
        "address": "address.street",
        "city_name": "address.city",
        "country_code": "address.countryCode",
        "latitude": "location.latitude",
        "longitude": "location.longitude",
        "stars": "stars",
        "rating": "reviewScore",
        "main_photo": "images, until the hotel's own are known",
    },
    withheld={"thumbnail": "the same picture, smaller"},
    not_yet={"review_count": "how many reviews a score is of is not modelled yet"},
)

TWICE = "the search tells it, and may be newer"
CONTACT = "guests write to their seller; the hotel is reached with the booking's own number"
HOUSE_RULES = "the rules of the house are not modelled yet"
ROOM = "rooms[]"

HOTEL = Content(
    supplier=NAME,
    subject="hotel",
    documented=documented_in(Path(__file__).with_name("documented_hotel.txt")),
    shown={
        "hotelDescription": "description, as plain text",
        "checkinCheckoutTimes.checkin": "checkInFrom, where no beginning is named",
        "checkinCheckoutTimes.checkinStart": "checkInFrom",
        "checkinCheckoutTimes.checkin_start": "checkInFrom",
        "checkinCheckoutTimes.checkout": "checkOutUntil",
        "hotelImages[].url": "images.url",
        "hotelImages[].caption": "images.caption",
        "hotelImages[].order": "the order of images",
        "hotelImages[].defaultImage": "the first of images",
        "main_photo": "images, where the hotel has no others",
        "hotelFacilities": "amenities",
        "rating": "reviewScore, where the search tells none",
        f"{ROOM}.id": "which of a rate's rooms it is",
        f"{ROOM}.roomName": "which of a rate's rooms it is, where that names no id",
        f"{ROOM}.roomSizeSquare": "rooms.sizeM2",
        f"{ROOM}.roomSizeUnit": "rooms.sizeM2",
        f"{ROOM}.maxOccupancy": "rooms.maxOccupancy, where the rate does not say",
        f"{ROOM}.bedTypes[].quantity": "rooms.beds",
        f"{ROOM}.bedTypes[].bedType": "rooms.beds",
        f"{ROOM}.bedRelation": "rooms.beds",
    },
    withheld={
        "id": TWICE,
        "name": TWICE,
        "country": TWICE,
        "city": TWICE,
        "starRating": TWICE,
        "location": TWICE,
        "address": TWICE,
        "hotelImages[].urlHd": "the same picture, larger than searches are shown with",
        "thumbnail": "the same picture, smaller",
        "facilities": "amenities are told by their names",
        f"{ROOM}.hotelId": OURS,
        f"{ROOM}.roomAmenities[].amenitiesId": OURS,
        f"{ROOM}.roomAmenities[].sort": "the order of a list of theirs",
        f"{ROOM}.maxAdults": "the rate's own party is what is sold",
        f"{ROOM}.maxChildren": "the rate's own party is what is sold",
        "phone": CONTACT,
        "fax": CONTACT,
        "email": CONTACT,
        "hotelTypeId": OURS,
        "chainId": OURS,
        "currency": "prices are in the account's currency",
        "groupRoomMin": "groups are not sold",
        "sentiment_analysis": "a machine's reading of what guests wrote elsewhere",
        "sentiment_updated_at": "a machine's reading of what guests wrote elsewhere",
    },
    not_yet={
        "hotelImportantInformation": HOUSE_RULES,
        "checkinCheckoutTimes.checkin_end": "the end of the hours of arrival is not modelled yet",
        "zip": "postal codes are not modelled yet",
        "reviewCount": "how many reviews a score is of is not modelled yet",
        "hotelType": "kinds of houses are not modelled yet",
        "chain": "chains are not modelled yet",
        "airportCode": "the nearest airport is not modelled yet",
        "parking": HOUSE_RULES,
        "childAllowed": HOUSE_RULES,
        "petsAllowed": HOUSE_RULES,
        "policies": HOUSE_RULES,
        f"{ROOM}.description": "rooms are shown by name, beds and size so far",
        f"{ROOM}.bedTypes[].bedSize": "the measures of beds are not modelled yet",
        f"{ROOM}.roomAmenities[].name": "what a room has is not modelled yet",
        f"{ROOM}.photos": "pictures of rooms are not modelled yet",
        f"{ROOM}.views": "views are not modelled yet",
    },
)
