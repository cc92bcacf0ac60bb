import type {
  CancellationQuote,
  CancellationQuoteRequest,
  FlightAcceptScheduleChangeRequest,
  FlightAddServicesRequest,
  FlightCancelRequest,
  FlightChangeOptionsRequest,
  FlightChangeOptionsResponse,
  FlightChangeRequest,
  FlightChangeResponse,
  FlightOrder,
  FlightOrderList,
  FlightOrderRequest,
  FlightSearchRequest,
  FlightSearchResponse,
  FlightSeatMapsResponse,
  FlightServicesResponse,
  PayFlightOrderRequest,
  RepricedFlightOffer,
} from "../generated/models.js";
import type { FiltersOf, QueryOf } from "../operations.js";
import type { CallOptions, WriteOptions } from "../options.js";
import { follow } from "../pages.js";
import type { Call } from "../transport.js";

export class Flights {
  readonly searches: FlightSearches;
  readonly offers: FlightOffers;
  readonly orders: FlightOrders;
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
    this.searches = new FlightSearches(call);
    this.offers = new FlightOffers(call);
    this.orders = new FlightOrders(call);
  }

  /** Uses one of the day's searches. */
  search(body: FlightSearchRequest, options?: WriteOptions): Promise<FlightSearchResponse> {
    return this.#call("searchFlights", { body }, options);
  }
}

export class FlightSearches {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /** The answer of a search again, for 24 hours. Free. */
  get(searchId: string, options?: CallOptions): Promise<FlightSearchResponse> {
    return this.#call("getFlightSearch", { path: { id: searchId } }, options);
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

  /** The bags that can be bought with an offer. Free. */
  services(offerId: string, options?: CallOptions): Promise<FlightServicesResponse> {
    return this.#call("listFlightOfferServices", { path: { id: offerId } }, options);
  }

  /** The seats of an offer's flights. Free. */
  seatMaps(offerId: string, options?: CallOptions): Promise<FlightSeatMapsResponse> {
    return this.#call("getFlightOfferSeatMaps", { path: { id: offerId } }, options);
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

  /** A PDF, or a page of HTML where `query.format` asks for one. */
  document(id: string, query?: QueryOf<"getFlightOrderDocument">, options?: CallOptions): Promise<Uint8Array> {
    return this.#call("getFlightOrderDocument", { path: { id }, query }, options);
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
  cancel(id: string, body?: FlightCancelRequest, options?: WriteOptions): Promise<FlightOrder> {
    return this.#call("cancelFlightOrder", { path: { id }, body }, options);
  }

  /** What cancelling costs now, and where the refund goes. Cancels nothing. */
  cancellationQuote(id: string, body?: CancellationQuoteRequest, options?: WriteOptions): Promise<CancellationQuote> {
    return this.#call("quoteFlightCancellation", { path: { id }, body }, options);
  }

  /** Pays for an order on hold. */
  pay(id: string, body?: PayFlightOrderRequest, options?: WriteOptions): Promise<FlightOrder> {
    return this.#call("payFlightOrder", { path: { id }, body }, options);
  }

  /** The bags that can still be bought for an order. */
  services(id: string, options?: CallOptions): Promise<FlightServicesResponse> {
    return this.#call("listFlightOrderServices", { path: { id } }, options);
  }

  /** Buys bags for an order. One that is gone is a ServiceUnavailableError, and nothing is bought. */
  addServices(id: string, body: FlightAddServicesRequest, options?: WriteOptions): Promise<FlightOrder> {
    return this.#call("addFlightOrderServices", { path: { id }, body }, options);
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
