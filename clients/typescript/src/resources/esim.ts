import type {
  EsimInstructions,
  EsimOrder,
  EsimOrderList,
  EsimOrderRequest,
  EsimPlan,
  EsimPlanList,
  EsimRefundRequest,
  EsimTopUp,
  EsimTopUpPlans,
  EsimTopUpRequest,
  EsimUsage,
} from "../generated/models.js";
import type { FiltersOf, QueryOf } from "../operations.js";
import type { CallOptions, WriteOptions } from "../options.js";
import { follow } from "../pages.js";
import type { Call } from "../transport.js";

export class Esim {
  readonly plans: EsimPlans;
  readonly orders: EsimOrders;

  constructor(call: Call) {
    this.plans = new EsimPlans(call);
    this.orders = new EsimOrders(call);
  }
}

export class EsimPlans {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  get(id: string, options?: CallOptions): Promise<EsimPlan> {
    return this.#call("getEsimPlan", { path: { id } }, options);
  }

  /** One page of the catalogue, by number or by cursor. */
  list(query?: QueryOf<"listEsimPlans">, options?: CallOptions): Promise<EsimPlanList> {
    return this.#call("listEsimPlans", { query }, options);
  }

  /** All plans. */
  iterate(
    filters?: Omit<FiltersOf<"listEsimPlans">, "page" | "pageSize">,
    options?: CallOptions,
  ): AsyncGenerator<EsimPlan, void, undefined> {
    return follow((cursor) => this.list({ ...filters, ...(cursor && { cursor }) }, options));
  }
}

export class EsimOrders {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /** A used externalReference with the same plan answers that order, with status 200 in `metaOf`. */
  create(body: EsimOrderRequest, options?: WriteOptions): Promise<EsimOrder> {
    return this.#call("createEsimOrder", { body }, options);
  }

  get(id: string, options?: CallOptions): Promise<EsimOrder> {
    return this.#call("getEsimOrder", { path: { id } }, options);
  }

  /** A PDF, or a page of HTML where `query.format` asks for one. */
  document(id: string, query?: QueryOf<"getEsimOrderDocument">, options?: CallOptions): Promise<Uint8Array> {
    return this.#call("getEsimOrderDocument", { path: { id }, query }, options);
  }

  /** One page, newest first. */
  list(query?: QueryOf<"listEsimOrders">, options?: CallOptions): Promise<EsimOrderList> {
    return this.#call("listEsimOrders", { query }, options);
  }

  /** All orders, newest first. */
  iterate(filters?: FiltersOf<"listEsimOrders">, options?: CallOptions): AsyncGenerator<EsimOrder, void, undefined> {
    return follow((cursor) => this.list({ ...filters, ...(cursor && { cursor }) }, options));
  }

  /** How much data is left. */
  usage(id: string, options?: CallOptions): Promise<EsimUsage> {
    return this.#call("getEsimUsage", { path: { id } }, options);
  }

  /** How it is installed, step by step. */
  instructions(id: string, options?: CallOptions): Promise<EsimInstructions> {
    return this.#call("getEsimInstructions", { path: { id } }, options);
  }

  /** The same in another language, where the supplier has it. */
  instructionsIn(id: string, language: string, options?: CallOptions): Promise<EsimInstructions> {
    return this.#call("getEsimInstructions", { path: { id }, query: { language } }, options);
  }

  /** Asks the supplier to refund an eSIM that was not used. */
  requestRefund(id: string, body: EsimRefundRequest, options?: WriteOptions): Promise<EsimOrder> {
    return this.#call("requestEsimRefund", { path: { id }, body }, options);
  }

  /** The plans that can be added to this eSIM. */
  topupPlans(id: string, options?: CallOptions): Promise<EsimTopUpPlans> {
    return this.#call("listEsimTopUpPlans", { path: { id } }, options);
  }

  /** Adds a plan to an eSIM that was ordered. */
  topup(id: string, body: EsimTopUpRequest, options?: WriteOptions): Promise<EsimTopUp> {
    return this.#call("createEsimTopUp", { path: { id }, body }, options);
  }
}
