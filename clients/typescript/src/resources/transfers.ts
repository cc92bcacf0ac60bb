import type {
  CancelRequest,
  CancellationQuote,
  CancellationQuoteRequest,
  TransferOrder,
  TransferOrderList,
  TransferOrderRequest,
  TransferSearchRequest,
  TransferSearchResponse,
} from "../generated/models.js";
import type { FiltersOf, QueryOf } from "../operations.js";
import type { CallOptions, WriteOptions } from "../options.js";
import { follow } from "../pages.js";
import type { Call } from "../transport.js";

export class Transfers {
  readonly orders: TransferOrders;
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
    this.orders = new TransferOrders(call);
  }

  /** Uses one of the day's searches. */
  search(body: TransferSearchRequest, options?: WriteOptions): Promise<TransferSearchResponse> {
    return this.#call("searchTransfers", { body }, options);
  }
}

export class TransferOrders {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  create(body: TransferOrderRequest, options?: WriteOptions): Promise<TransferOrder> {
    return this.#call("createTransferOrder", { body }, options);
  }

  get(orderId: string, options?: CallOptions): Promise<TransferOrder> {
    return this.#call("getTransferOrder", { path: { orderId } }, options);
  }

  /** A PDF, or a page of HTML where `query.format` asks for one. */
  document(orderId: string, query?: QueryOf<"getTransferOrderDocument">, options?: CallOptions): Promise<Uint8Array> {
    return this.#call("getTransferOrderDocument", { path: { orderId }, query }, options);
  }

  /** One page, newest first. */
  list(query?: QueryOf<"listTransferOrders">, options?: CallOptions): Promise<TransferOrderList> {
    return this.#call("listTransferOrders", { query }, options);
  }

  /** All orders, newest first. */
  iterate(filters?: FiltersOf<"listTransferOrders">, options?: CallOptions): AsyncGenerator<TransferOrder, void, undefined> {
    return follow((cursor) => this.list({ ...filters, ...(cursor && { cursor }) }, options));
  }

  /** A penalty above `maxPenaltyCents` is a ConflictError, and nothing is cancelled. */
  cancel(orderId: string, body?: CancelRequest, options?: WriteOptions): Promise<TransferOrder> {
    return this.#call("cancelTransferOrder", { path: { orderId }, body }, options);
  }

  /** What cancelling costs now. Cancels nothing. */
  cancellationQuote(orderId: string, body?: CancellationQuoteRequest, options?: WriteOptions): Promise<CancellationQuote> {
    return this.#call("quoteTransferCancellation", { path: { orderId }, body }, options);
  }
}
