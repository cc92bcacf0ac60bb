import { NotFoundError } from "../errors.js";
import type {
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookDeliveryList,
  WebhookEndpoint,
  WebhookEndpointChangeRequest,
  WebhookEndpointList,
  WebhookEndpointRequest,
  WebhookEndpointWithSecret,
  WebhookSecretRotationRequest,
} from "../generated/models.js";
import type { FiltersOf, QueryOf } from "../operations.js";
import type { CallOptions, WriteOptions } from "../options.js";
import { follow } from "../pages.js";
import type { Call } from "../transport.js";

export class Webhooks {
  readonly endpoints: WebhookEndpoints;
  readonly deliveries: WebhookDeliveries;

  constructor(call: Call) {
    this.endpoints = new WebhookEndpoints(call);
    this.deliveries = new WebhookDeliveries(call);
  }
}

export class WebhookEndpoints {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /** The answer has the signing secret, which no later read shows. */
  create(body: WebhookEndpointRequest, options?: WriteOptions): Promise<WebhookEndpointWithSecret> {
    return this.#call("createWebhookEndpoint", { body }, options);
  }

  get(id: string, options?: CallOptions): Promise<WebhookEndpoint> {
    return this.#call("getWebhookEndpoint", { path: { id } }, options);
  }

  /** One page, newest first. */
  list(query?: QueryOf<"listWebhookEndpoints">, options?: CallOptions): Promise<WebhookEndpointList> {
    return this.#call("listWebhookEndpoints", { query }, options);
  }

  /** All endpoints, newest first. */
  iterate(
    filters?: FiltersOf<"listWebhookEndpoints">,
    options?: CallOptions,
  ): AsyncGenerator<WebhookEndpoint, void, undefined> {
    return follow((cursor) => this.list({ ...filters, ...(cursor && { cursor }) }, options));
  }

  /** `status: "enabled"` clears the count of failures and sends what has waited. */
  update(id: string, body: WebhookEndpointChangeRequest, options?: CallOptions): Promise<WebhookEndpoint> {
    return this.#call("updateWebhookEndpoint", { path: { id }, body }, options);
  }

  async delete(id: string, options?: CallOptions): Promise<void> {
    try {
      await this.#call("deleteWebhookEndpoint", { path: { id } }, options);
    } catch (error) {
      // The response to an earlier attempt was lost; the endpoint is deleted.
      if (!(error instanceof NotFoundError && error.attempts > 1)) throw error;
    }
  }

  /** The answer has the new secret. For 24 hours both sign, unless the change is `immediate`. */
  rotateSecret(
    id: string,
    body?: WebhookSecretRotationRequest,
    options?: WriteOptions,
  ): Promise<WebhookEndpointWithSecret> {
    return this.#call("rotateWebhookSecret", { path: { id }, body }, options);
  }

  /** Sends an event of type `webhook.test`. */
  test(id: string, options?: WriteOptions): Promise<WebhookDelivery> {
    return this.#call("testWebhookEndpoint", { path: { id }, body: undefined }, options);
  }
}

export class WebhookDeliveries {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /** With its payload and every attempt. */
  get(id: string, options?: CallOptions): Promise<WebhookDeliveryDetail> {
    return this.#call("getWebhookDelivery", { path: { id } }, options);
  }

  /** One page, newest first. */
  list(query?: QueryOf<"listWebhookDeliveries">, options?: CallOptions): Promise<WebhookDeliveryList> {
    return this.#call("listWebhookDeliveries", { query }, options);
  }

  /** All deliveries, newest first. */
  iterate(
    filters?: FiltersOf<"listWebhookDeliveries">,
    options?: CallOptions,
  ): AsyncGenerator<WebhookDelivery, void, undefined> {
    return follow((cursor) => this.list({ ...filters, ...(cursor && { cursor }) }, options));
  }

  /** One more attempt of a finished delivery. */
  resend(id: string, options?: WriteOptions): Promise<WebhookDelivery> {
    return this.#call("resendWebhookDelivery", { path: { id }, body: undefined }, options);
  }
}
