import type {
  CancelRequest,
  CancellationQuote,
  CancellationQuoteRequest,
  HotelBooking,
  HotelBookingList,
  HotelBookingRequest,
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
  readonly bookings: HotelBookings;
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
    this.searches = new HotelSearches(call);
    this.rates = new HotelRates(call);
    this.bookings = new HotelBookings(call);
  }

  /** Uses one of the day's searches. */
  search(body?: HotelSearchRequest, options?: WriteOptions): Promise<HotelSearch> {
    return this.#call("searchHotels", { body }, options);
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

  /** What cancelling costs now. Cancels nothing. */
  cancellationQuote(id: string, body?: CancellationQuoteRequest, options?: WriteOptions): Promise<CancellationQuote> {
    return this.#call("quoteHotelCancellation", { path: { id }, body }, options);
  }
}
