// A partner's program on the types that openapi-typescript makes, called through openapi-fetch.
import createClient from "openapi-fetch";
import type { components, paths } from "./client/schema.js";
import { apiKey, baseUrl, dayAhead, delivered, newKey } from "../partner_tools.js";

type Schemas = components["schemas"];

const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${apiKey}` } });
const headers = () => ({ "Idempotency-Key": newKey() });

const search = await client.POST("/v1/hotels/searches", {
  params: { header: headers() },
  body: {
    destination: { city: "Lisbon", countryCode: "PT" },
    checkIn: dayAhead(60),
    checkOut: dayAhead(62),
  },
});
const hotels = need(search.data).hotels;
const rate = need(hotels[0]?.rates[0]);

const wanted: Schemas["HotelBookingRequest"] = {
  rateId: rate.rateId,
  guests: [{ firstName: "Ada", lastName: "Byron", type: "adult" }],
  contact: { email: "ada@example.com", phone: "+351210000000" },
  externalReference: `trip-${newKey()}`,
};
const book = (body: Schemas["HotelBookingRequest"], key = newKey()) =>
  client.POST("/v1/hotels/bookings", { params: { header: { "Idempotency-Key": key } }, body });

const key = newKey();
const booking = need((await book(wanted, key)).data);
const again = need((await book(wanted, key)).data);
const reused = await book({ ...wanted, specialRequests: "A high floor" }, key);
const duplicate = await book(wanted);
const wrong = await book({ ...wanted, guests: [] });
const unknown = await client.GET("/v1/hotels/bookings/{id}", { params: { path: { id: "hbk_unknown" } } });

console.log(
  JSON.stringify({
    rates: hotels.flatMap((hotel) => hotel.rates).length,
    booking: {
      id: booking.id,
      status: booking.status,
      asQuoted: booking.totalCents === rate.totalCents,
    },
    sameKeyGivesSameBooking: again.id === booking.id,
    keyReused: need(reused.error).error.type,
    duplicate: {
      type: need(duplicate.error).error.type,
      bookingId: need(duplicate.error).error.bookingId,
    },
    wrongFields: need(wrong.error).error.details?.map((detail) => detail.field),
    unknown: need(unknown.error).error.type,
    ...delivered<Schemas["WebhookBookingConfirmed"]>(),
  }),
);

function need<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("another answer was expected");
  return value;
}
