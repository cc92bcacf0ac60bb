// A webhook receiver without dependencies: verify, deduplicate, respond at once, process afterwards.
//
//     WEBHOOK_SECRET=whsec_… PORT=3000 node receiver.js
//
// Either signature is enough. This one checks `X-Service-Signature`; a Standard Webhooks library checks the other
// one, `webhook-signature`, with the same secret.

"use strict";

const crypto = require("node:crypto");
const http = require("node:http");

const SECRET = process.env.WEBHOOK_SECRET;
const MAX_BODY_BYTES = 1024 * 1024;

if (!SECRET) throw new Error("WEBHOOK_SECRET is not set");

// Whether `X-Service-Signature: t=…,v1=…[,v1=…]` was made with our secret, at most five minutes ago.
function isGenuine(header, body, secret, now) {
  const fields = header.split(",").map((field) => field.split("=", 2));
  const timestamp = (fields.find(([name]) => name === "t") || [])[1] || "";
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now - Number(timestamp)) > 300) return false;
  // The bytes as received: parsed and serialized again, they would differ.
  const expected = crypto.createHmac("sha256", secret).update(`${timestamp}.`).update(body).digest();
  // While a secret is rotated there are two v1 values.
  return fields.some(([name, value]) => {
    if (name !== "v1" || !/^[0-9a-f]{64}$/.test(value || "")) return false;
    return crypto.timingSafeEqual(expected, Buffer.from(value, "hex"));
  });
}

// Events to process, each once. Use a database table with a unique event id: this one is lost at a restart.
const seen = new Set();

function accept(event) {
  if (seen.has(event.id)) return; // delivered before: an event can arrive twice
  seen.add(event.id);
  setImmediate(() => console.log("processed", event.id, event.type)); // your work goes here
}

function read(request) {
  return new Promise((resolve, reject) => {
    const pieces = [];
    let size = 0;
    request.on("data", (piece) => {
      size += piece.length;
      if (size <= MAX_BODY_BYTES) pieces.push(piece);
    });
    request.on("end", () => resolve(size <= MAX_BODY_BYTES ? Buffer.concat(pieces) : null));
    request.on("error", reject);
  });
}

const server = http.createServer(async (request, response) => {
  try {
    const body = await read(request);
    if (request.method !== "POST") return response.writeHead(405).end();
    if (body === null) return response.writeHead(413).end();
    const header = request.headers["x-service-signature"] || "";
    if (!isGenuine(header, body, SECRET, Date.now() / 1000)) return response.writeHead(400).end();
    accept(JSON.parse(body));
    return response.writeHead(204).end(); // within 10 seconds; the event is processed afterwards
  } catch {
    return response.writeHead(500).end();
  }
});

server.listen(Number(process.env.PORT || 3000), "127.0.0.1");
