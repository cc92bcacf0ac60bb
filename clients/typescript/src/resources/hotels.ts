import type {
  CancelRequest,
  CancellationQuote,
  CancellationQuoteRequest,
  ChangedHotelBooking,
  HotelBooking,
  HotelBookingList,
  HotelBookingRequest,
  HotelChangeOptions,
  HotelChangeOptionsRequest,
  HotelChangeRequest,
  HotelCorrectGuestRequest,
  HotelMinRates,
  HotelMinRatesRequest,
  HotelProperty,
  HotelPropertySummary,
  HotelPropertySummaryList,
  HotelSearch,
  HotelSearchRequest,
  QuotedHotelRate,
} from "../generated/models.js";
import type { FiltersOf, QueryOf } from "../operations.js";
import type { CallOptions, WriteOptions } from "../options.js";
import { follow } from "../pages.js";
import type { Call } from "../transport.js";

export class Hotels {
  readonly searches: HotelSearches;
  readonly rates: HotelRates;
  readonly properties: HotelProperties;
  readonly bookings: HotelBookings;
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
    this.searches = new HotelSearches(call);
    this.rates = new HotelRates(call);
    this.properties = new HotelProperties(call);
    this.bookings = new HotelBookings(call);
  }

  /** Uses one of the day's searches. */
  search(body?: HotelSearchRequest, options?: WriteOptions): Promise<HotelSearch> {
    return this.#call("searchHotels", { body }, options);
  }

  /** The cheapest price of each day of arrival. Uses one of the day's searches for each seven days begun. */
  minRates(body: HotelMinRatesRequest, options?: WriteOptions): Promise<HotelMinRates> {
    return this.#call("searchHotelMinRates", { body }, options);
  }
}

export class HotelSearches {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /** The same record again, for 24 hours, free of the search quota. */
  get(id: string, options?: CallOptions): Promise<HotelSearch> {
    return this.#call("getHotelSearch", { path: { id } }, options);
  }

  /** A page of it, from `nextCursor` of the page before. */
  page(id: string, query: QueryOf<"getHotelSearch">, options?: CallOptions): Promise<HotelSearch> {
    return this.#call("getHotelSearch", { path: { id }, query }, options);
  }
}

export class HotelRates {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /** A rate as it was quoted. */
  get(rateId: string, options?: CallOptions): Promise<QuotedHotelRate> {
    return this.#call("getHotelRate", { path: { rateId } }, options);
  }
}

export class HotelProperties {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /** All that is known of a hotel, in a language. */
  get(hotelId: string, query?: QueryOf<"getHotelProperty">, options?: CallOptions): Promise<HotelProperty> {
    return this.#call("getHotelProperty", { path: { hotelId }, query }, options);
  }

  /** One page of the catalogue, oldest change first. */
  list(query?: QueryOf<"listHotelProperties">, options?: CallOptions): Promise<HotelPropertySummaryList> {
    return this.#call("listHotelProperties", { query }, options);
  }

  /** All properties, oldest change first. */
  iterate(
    filters?: FiltersOf<"listHotelProperties">,
    options?: CallOptions,
  ): AsyncGenerator<HotelPropertySummary, void, undefined> {
    return follow((cursor) => this.list({ ...filters, ...(cursor && { cursor }) }, options));
  }
}

export class HotelBookings {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  create(body: HotelBookingRequest, options?: WriteOptions): Promise<HotelBooking> {
    return this.#call("createHotelBooking", { body }, options);
  }

  get(id: string, options?: CallOptions): Promise<HotelBooking> {
    return this.#call("getHotelBooking", { path: { id } }, options);
  }

  /** A PDF, or a page of HTML where `query.format` asks for one. */
  document(id: string, query?: QueryOf<"getHotelBookingDocument">, options?: CallOptions): Promise<Uint8Array> {
    return this.#call("getHotelBookingDocument", { path: { id }, query }, options);
  }

  /** One page, newest first. */
  list(query?: QueryOf<"listHotelBookings">, options?: CallOptions): Promise<HotelBookingList> {
    return this.#call("listHotelBookings", { query }, options);
  }

  /** All bookings, newest first. */
  iterate(filters?: FiltersOf<"listHotelBookings">, options?: CallOptions): AsyncGenerator<HotelBooking, void, undefined> {
    return follow((cursor) => this.list({ ...filters, ...(cursor && { cursor }) }, options));
  }

  /** A penalty above `maxPenaltyCents` is a ConflictError, and nothing is cancelled. */
  cancel(id: string, body?: CancelRequest, options?: WriteOptions): Promise<HotelBooking> {
    return this.#call("cancelHotelBooking", { path: { id }, body }, options);
  }

  /** Other dates or rooms in the same hotel, with their price. Changes nothing. */
  changeOptions(id: string, body: HotelChangeOptionsRequest, options?: WriteOptions): Promise<HotelChangeOptions> {
    return this.#call("findHotelChangeOptions", { path: { id }, body }, options);
  }

  /** Takes one of the options. */
  change(id: string, body: HotelChangeRequest, options?: WriteOptions): Promise<ChangedHotelBooking> {
    return this.#call("changeHotelBooking", { path: { id }, body }, options);
  }

  /** Asks for another name of the lead guest. */
  correctGuest(id: string, body: HotelCorrectGuestRequest, options?: WriteOptions): Promise<HotelBooking> {
    return this.#call("correctHotelGuest", { path: { id }, body }, options);
  }

  /** What cancelling costs now. Cancels nothing. */
  cancellationQuote(id: string, body?: CancellationQuoteRequest, options?: WriteOptions): Promise<CancellationQuote> {
    return this.#call("quoteHotelCancellation", { path: { id }, body }, options);
  }
}
