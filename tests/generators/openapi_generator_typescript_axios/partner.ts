// A partner's program on the client that openapi-generator makes (`-g typescript-axios`).
import { isAxiosError } from "axios";
import { Configuration, HotelsApi } from "./client/index.js";
import type { ApiError, ErrorEnvelope, HotelBookingRequest, WebhookBookingConfirmed } from "./client/index.js";
import { apiKey, baseUrl, dayAhead, delivered, newKey } from "../partner_tools.js";

const api = new HotelsApi(new Configuration({ basePath: baseUrl, accessToken: apiKey }));

const search = await api.searchHotels(newKey(), undefined, {
  destination: { city: "Lisbon", countryCode: "PT" },
  checkIn: dayAhead(60),
  checkOut: dayAhead(62),
});
const hotels = search.data.hotels;
const rate = hotels[0]?.rates[0];
if (!rate) throw new Error("no rate was found");

const wanted: HotelBookingRequest = {
  rateId: rate.rateId,
  guests: [{ firstName: "Ada", lastName: "Byron", type: "adult" }],
  contact: { email: "ada@example.com", phone: "+351210000000" },
  externalReference: `trip-${newKey()}`,
};
const book = (body: HotelBookingRequest, key = newKey()) => api.createHotelBooking(key, body);

const key = newKey();
const booking = (await book(wanted, key)).data;
const again = (await book(wanted, key)).data;
const reused = await refusalOf(book({ ...wanted, specialRequests: "A high floor" }, key));
const duplicate = await refusalOf(book(wanted));
const wrong = await refusalOf(book({ ...wanted, guests: [] }));
const unknown = await refusalOf(api.getHotelBooking("hbk_unknown"));

console.log(
  JSON.stringify({
    rates: hotels.flatMap((hotel) => hotel.rates).length,
    booking: {
      id: booking.id,
      status: booking.status,
      asQuoted: booking.totalCents === rate.totalCents,
    },
    sameKeyGivesSameBooking: again.id === booking.id,
    keyReused: reused.type,
    duplicate: { type: duplicate.type, bookingId: duplicate["bookingId"] },
    wrongFields: wrong.details?.map((detail) => detail.field),
    unknown: unknown.type,
    ...delivered<WebhookBookingConfirmed>(),
  }),
);

async function refusalOf(call: Promise<unknown>): Promise<ApiError> {
  try {
    await call;
  } catch (error) {
    if (isAxiosError<ErrorEnvelope>(error) && error.response) return error.response.data.error;
    throw error;
  }
  throw new Error("a refusal was expected");
}
