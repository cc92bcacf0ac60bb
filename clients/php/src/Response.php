<?php

declare(strict_types=1);

namespace TravelPartner;

/** A response of the service. The names of its headers are in lower case. */
final class Response
{
    private mixed $json = null;

    /** @param array<string, string> $headers */
    public function __construct(
        public readonly int $status,
        public readonly array $headers,
        public readonly string $body,
        public readonly int $attempts = 1,
        public readonly ?string $idempotencyKey = null,
    ) {
    }

    /** The number that support asks for. Empty if the service itself was not reached. */
    public function requestId(): string
    {
        return $this->headers['x-request-id'] ?? '';
    }

    /** Whether this is the stored response of an earlier call with the same Idempotency-Key. */
    public function replayed(): bool
    {
        return 'true' === ($this->headers['idempotent-replayed'] ?? '');
    }

    /** Seconds to wait before the next call, if the service asks for it. */
    public function retryAfter(): ?float
    {
        $value = $this->headers['retry-after'] ?? '';
        if (preg_match('/^\d+$/D', $value)) {
            return (float) $value;
        }
        $time = '' === $value ? false : strtotime($value); // proxies send a date

        return false === $time ? null : (float) max(0, $time - time());
    }

    /** The body. Objects are `stdClass`. Throws JsonException if it is not JSON. */
    public function json(): mixed
    {
        return $this->json ??= json_decode($this->body, false, 512, JSON_THROW_ON_ERROR);
    }

    /** The body of a document. A proxy's page has no file name. */
    public function file(): string
    {
        if (!isset($this->headers['content-disposition'])) {
            throw new TravelPartnerException("The response is no file (request {$this->requestId()}).");
        }

        return $this->body;
    }
}
