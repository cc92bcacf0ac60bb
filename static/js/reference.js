// The API reference: Swagger UI over this service's own OpenAPI document. Every POST gets an Idempotency-Key where none was typed.
"use strict";

const KEY = "Idempotency-Key";

function withOptionalKeys(definition) {
  for (const operations of Object.values(definition.paths)) {
    for (const parameter of operations.post?.parameters ?? []) {
      if (parameter.name === KEY) {
        parameter.required = false;
        parameter.description = `Left empty, this page makes one up. ${parameter.description ?? ""}`;
      }
    }
  }
  return definition;
}

// Left to itself Swagger UI makes bodies up from the patterns of the texts, and each of them would be refused.
function withStartingBodies(definition) {
  const bodies = startingBodies();
  for (const operations of Object.values(definition.paths)) {
    for (const { operationId, requestBody } of Object.values(operations)) {
      if (requestBody && bodies[operationId]) {
        requestBody.content["application/json"].example = bodies[operationId];
      }
    }
  }
  return definition;
}

function withKey(request) {
  const named = Object.keys(request.headers).find((name) => name.toLowerCase() === KEY.toLowerCase()) ?? KEY;
  if (request.method === "POST" && !request.headers[named]) {
    request.headers[named] = crypto.randomUUID();
  }
  return request;
}

window.addEventListener("load", async () => {
  const place = document.getElementById("reference");
  const answer = await fetch(place.dataset.document);
  const definition = withStartingBodies(withOptionalKeys(await answer.json()));
  place.textContent = "";
  window.SwaggerUIBundle({
    spec: definition,
    domNode: place,
    deepLinking: true,
    docExpansion: "list",
    defaultModelsExpandDepth: -1,
    displayRequestDuration: true,
    persistAuthorization: false,
    validatorUrl: null,
    requestInterceptor: withKey,
  });
});
