"""What is chosen from an answer that offers several, in JavaScript: on another day another one is the right one."""

CHEAPEST = ".sort((a, b) => a.totalCents - b.totalCents)[0]"
BY_DIFFERENCE = ".sort((a, b) => a.differenceCents - b.differenceCents)[0]"

CHOICES = {
    "rateId": f"answer.hotels.flatMap((hotel) => hotel.rates).filter((rate) => rate.refundable){CHEAPEST}.rateId",
    "offerId": (
        "answer.offers.filter((offer) => offer.conditions.refundable && offer.conditions.changeable)"
        f"{CHEAPEST}.offerId"
    ),
    "changeId": f"answer.options.filter((option) => option.differenceCents > 0){BY_DIFFERENCE}.changeId",
    "sliceId2": f"answer.options.filter((option) => option.differenceCents > 0){BY_DIFFERENCE}.slice.sliceId",
    "changeId2": f"answer.options{BY_DIFFERENCE}.changeId",
}
"""By the variable that is kept."""
