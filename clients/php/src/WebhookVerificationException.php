<?php

declare(strict_types=1);

namespace TravelPartner;

/** A delivery that is not the service's, or too old. */
final class WebhookVerificationException extends TravelPartnerException
{
}
