<?php

declare(strict_types=1);

namespace TravelPartner;

/** The service refused the call. Decide by `$type`; the message is for people and may change. */
final class ApiException extends TravelPartnerException
{
    /** For instance `price_changed`; `unknown` if the response is not the service's, such as a proxy's. */
    public readonly string $type;
    public readonly int $status;
    public readonly string $requestId;
    /** The page about this type. */
    public readonly ?string $docUrl;
    /** @var list<array{field: string, message: string}> What is wrong, field by field. */
    public readonly array $details;
    /** @var array<string, mixed> The further fields of this type, such as `currentTotalCents`. */
    public readonly array $extras;
    /** Seconds to wait before the next call, if the service asks for it. */
    public readonly ?float $retryAfter;
    /** After 5xx the same call with this key finishes what the first one started, and never books twice. */
    public readonly ?string $idempotencyKey;

    public function __construct(public readonly Response $response)
    {
        $body = json_decode($response->body, true);
        $error = is_array($body) && is_array($body['error'] ?? null) ? $body['error'] : [];
        $this->type = (string) ($error['type'] ?? 'unknown');
        $this->status = $response->status;
        $this->requestId = (string) ($error['requestId'] ?? $response->requestId());
        $this->docUrl = $error['docUrl'] ?? null;
        $this->details = is_array($error['details'] ?? null) ? $error['details'] : [];
        $this->extras = array_diff_key($error, array_flip(['type', 'message', 'requestId', 'docUrl', 'details']));
        $this->retryAfter = $response->retryAfter();
        $this->idempotencyKey = $response->idempotencyKey;
        $message = $error['message'] ?? "HTTP {$response->status} without a readable error";
        $wrong = array_map(
            fn ($one) => is_array($one) ? ($one['field'] ?? '') . ': ' . ($one['message'] ?? '') : '',
            array_slice($this->details, 0, 3),
        );
        parent::__construct(rtrim($message . ' ' . implode('; ', array_filter($wrong))), $response->status);
    }
}
