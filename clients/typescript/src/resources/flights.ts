import type {
  CancelRequest,
  FlightAcceptScheduleChangeRequest,
  FlightChangeOptionsRequest,
  FlightChangeOptionsResponse,
  FlightChangeRequest,
  FlightChangeResponse,
  FlightOrder,
  FlightOrderList,
  FlightOrderRequest,
  FlightSearchRequest,
  FlightSearchResponse,
  RepricedFlightOffer,
} from "../generated/models.js";
import type { FiltersOf, QueryOf } from "../operations.js";
import type { CallOptions, WriteOptions } from "../options.js";
import { follow } from "../pages.js";
import type { Call } from "../transport.js";

export class Flights {
  readonly offers: FlightOffers;
  readonly orders: FlightOrders;
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
    this.offers = new FlightOffers(call);
    this.orders = new FlightOrders(call);
  }

  /** Uses one of the day's searches. */
  search(body: FlightSearchRequest, options?: WriteOptions): Promise<FlightSearchResponse> {
    return this.#call("searchFlights", { body }, options);
  }
}

export class FlightOffers {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /** Asks the airline for the price again. Uses one of the day's searches. */
  reprice(offerId: string, options?: CallOptions): Promise<RepricedFlightOffer> {
    return this.#call("repriceFlightOffer", { path: { id: offerId } }, options);
  }
}

export class FlightOrders {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  create(body: FlightOrderRequest, options?: WriteOptions): Promise<FlightOrder> {
    return this.#call("createFlightOrder", { body }, options);
  }

  get(id: string, options?: CallOptions): Promise<FlightOrder> {
    return this.#call("getFlightOrder", { path: { id } }, options);
  }

  /** One page, newest first. */
  list(query?: QueryOf<"listFlightOrders">, options?: CallOptions): Promise<FlightOrderList> {
    return this.#call("listFlightOrders", { query }, options);
  }

  /** All orders, newest first. */
  iterate(filters?: FiltersOf<"listFlightOrders">, options?: CallOptions): AsyncGenerator<FlightOrder, void, undefined> {
    return follow((cursor) => this.list({ ...filters, ...(cursor && { cursor }) }, options));
  }

  /** A penalty above `maxPenaltyCents` is a ConflictError, and nothing is cancelled. */
  cancel(id: string, body?: CancelRequest, options?: WriteOptions): Promise<FlightOrder> {
    return this.#call("cancelFlightOrder", { path: { id }, body }, options);
  }

  /** What another date or another airport would cost. */
  changeOptions(id: string, body: FlightChangeOptionsRequest, options?: WriteOptions): Promise<FlightChangeOptionsResponse> {
    return this.#call("listFlightChangeOptions", { path: { id }, body }, options);
  }

  /** Confirms one of the change options. */
  change(id: string, body: FlightChangeRequest, options?: WriteOptions): Promise<FlightChangeResponse> {
    return this.#call("changeFlightOrder", { path: { id }, body }, options);
  }

  /** Accepts how the airline moved a flight. Moves no money. */
  acceptScheduleChange(
    id: string,
    changeId: string,
    body?: FlightAcceptScheduleChangeRequest,
    options?: WriteOptions,
  ): Promise<FlightOrder> {
    return this.#call("acceptFlightScheduleChange", { path: { id, changeId }, body }, options);
  }
}
