// What the forms of the API reference begin with: bodies that are taken as they stand, but for the handles that only a search gives.
"use strict";

function inDays(days) {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}

function startingBodies() {
  const contact = { email: "ada@example.com", phone: "+351210000000" };
  const name = { firstName: "Ada", lastName: "Byron" };
  return {
    searchHotels: { destination: { city: "Lisbon" }, checkIn: inDays(30), checkOut: inDays(32), rooms: [{ adults: 2 }], limit: 3 },
    createHotelBooking: { rateId: "rate_…", guests: [{ ...name, type: "adult" }], contact },
    cancelHotelBooking: {},
    searchFlights: { origin: "LHR", destination: "JFK", departureDate: inDays(60), limit: 3 },
    createFlightOrder: {
      offerId: "offer_…",
      passengers: [{ title: "ms", ...name, dateOfBirth: "1990-12-10", type: "adult" }],
      contact,
    },
    cancelFlightOrder: {},
    listFlightChangeOptions: { removeSliceId: "slice_…", add: { origin: "LHR", destination: "JFK", departureDate: inDays(67) } },
    changeFlightOrder: { changeId: "change_…" },
    searchTransfers: {
      from: { type: "IATA", code: "LIS" },
      to: { type: "GEO", name: "Hotel", latitude: 38.71, longitude: -9.14 },
      outbound: `${inDays(60)}T10:00:00`,
      adults: 2,
      limit: 3,
    },
    createTransferOrder: { quoteId: "quote_…", leadPassenger: { ...name, ...contact } },
    cancelTransferOrder: {},
    createEsimOrder: { planId: "plan_…" },
    createWebhookEndpoint: { url: "https://example.com/hooks", events: ["booking.confirmed", "booking.cancelled"] },
    updateWebhookEndpoint: { status: "enabled" },
    rotateWebhookSecret: {},
    testWebhookEndpoint: {},
    resendWebhookDelivery: {},
  };
}
