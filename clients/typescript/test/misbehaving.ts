/** A server on loopback that answers as a test says, and a client of it whose time passes only where the client waits. */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import { TravelPartner, type ClientOptions, type Runtime } from "../src/index.js";

export const API_KEY = "svc_test_0123456789abcdefghijklmnopqrstuv012345";

export interface Received {
  method: string;
  url: string;
  headers: IncomingMessage["headers"];
  body: string;
}

export type Behaviour = (response: ServerResponse, request: Received) => void;

/** A whole answer. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}): Behaviour {
  return (response) => {
    response.writeHead(status, { "Content-Type": "application/json", "X-Request-Id": "req-1", ...headers });
    response.end(status === 204 ? undefined : JSON.stringify(body));
  };
}

export function refused(status: number, type: string, headers: Record<string, string> = {}, extras: object = {}): Behaviour {
  return json(status, { error: { type, message: `It is ${type}.`, requestId: "req-1", ...extras } }, headers);
}

export const lostAnswer: Behaviour = (response) => response.socket?.end();
export const reset: Behaviour = (response) => response.socket?.resetAndDestroy();
export const halfABody: Behaviour = (response) => {
  response.writeHead(201, { "Content-Length": "100" });
  response.write('{"id": "ford_1', () => response.socket?.end());
};
export const notJson: Behaviour = (response) => void response.writeHead(201).end("<html>Welcome to the hotel's network</html>");

export class FakeTime implements Runtime {
  readonly waits: number[] = [];
  readonly timeouts: number[] = [];
  /** What happens while the client waits. */
  meanwhile: () => void = () => undefined;
  #elapsed = 0;
  #running = new AbortController();

  now = (): number => this.#elapsed;
  random = (): number => 1;
  sleep = (milliseconds: number, signal: AbortSignal | undefined): Promise<void> => {
    this.waits.push(milliseconds);
    this.#elapsed += milliseconds;
    this.meanwhile();
    signal?.throwIfAborted();
    return Promise.resolve();
  };
  timeout = (milliseconds: number): AbortSignal => {
    this.timeouts.push(milliseconds);
    this.#running = new AbortController();
    return this.#running.signal;
  };
  /** The try that runs has taken all of its time. */
  expire(): void {
    this.#elapsed += this.timeouts.at(-1) ?? 0;
    this.#running.abort(new DOMException("too late", "TimeoutError"));
  }
}

export interface Stage {
  client: TravelPartner;
  time: FakeTime;
  received: Received[];
  url: string;
}

/** Each request meets the next behaviour; the last one stays. */
export async function stage(
  context: TestContext,
  behaviours: Behaviour[],
  options: Partial<ClientOptions> = {},
): Promise<Stage> {
  const time = new FakeTime();
  const received: Received[] = [];
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const { method = "", url = "", headers } = request;
      const seen = { method, url, headers, body };
      received.push(seen);
      const behaviour = behaviours[Math.min(received.length, behaviours.length) - 1];
      behaviour?.(response, seen);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { client: new TravelPartner({ apiKey: API_KEY, baseUrl: url, runtime: time, ...options }), time, received, url };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
}

export const ORDER = {
  offerId: "offer_1",
  passengers: [{ firstName: "Ada", lastName: "Byron", dateOfBirth: "1990-12-10", type: "adult" as const }],
  contact: { email: "ada@example.com", phone: "+351210000000" },
};
