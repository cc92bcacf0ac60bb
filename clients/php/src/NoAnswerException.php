<?php

declare(strict_types=1);

namespace TravelPartner;

/**
 * No response came, or only a part of it: whether the call took effect is not known. The same call with `$idempotencyKey` never
 * books twice.
 */
final class NoAnswerException extends TravelPartnerException
{
    public function __construct(string $message, public readonly int $attempts = 1, public readonly ?string $idempotencyKey = null)
    {
        parent::__construct($message);
    }
}
