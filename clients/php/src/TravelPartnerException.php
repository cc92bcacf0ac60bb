<?php

declare(strict_types=1);

namespace TravelPartner;

/** The base of all exceptions of this package. */
class TravelPartnerException extends \RuntimeException
{
}
