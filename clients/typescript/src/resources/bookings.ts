import type { AnyBookingList } from "../generated/models.js";
import type { FiltersOf, QueryOf } from "../operations.js";
import type { CallOptions } from "../options.js";
import { follow } from "../pages.js";
import type { Call } from "../transport.js";

/** A booking of any product: `bookingType` says of which. */
export type AnyBooking = AnyBookingList["data"][number];

export class Bookings {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /** One page over all products that the key may read, newest first. */
  list(query?: QueryOf<"listBookings">, options?: CallOptions): Promise<AnyBookingList> {
    return this.#call("listBookings", { query }, options);
  }

  /** All bookings, newest first. */
  iterate(filters?: FiltersOf<"listBookings">, options?: CallOptions): AsyncGenerator<AnyBooking, void, undefined> {
    return follow((cursor) => this.list({ ...filters, ...(cursor && { cursor }) }, options));
  }
}

export class Trips {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /** All bookings of a trip in one PDF, or in one page of HTML where `query.format` asks for one. */
  document(query: QueryOf<"getTripDocument">, options?: CallOptions): Promise<Uint8Array> {
    return this.#call("getTripDocument", { query }, options);
  }
}
