<?php

declare(strict_types=1);

namespace TravelPartner;

/** Webhook endpoints and deliveries, and the check of a delivery's signature. */
final class Webhooks
{
    private const TOLERANCE_SECONDS = 300;

    public readonly Resource\WebhooksEndpointsApi $endpoints;
    public readonly Resource\WebhooksDeliveriesApi $deliveries;

    public function __construct(Client $client)
    {
        $this->endpoints = new Resource\WebhooksEndpointsApi($client);
        $this->deliveries = new Resource\WebhooksDeliveriesApi($client);
    }

    /**
     * The event of a delivery, as the class of its type, such as `Model\WebhookBookingConfirmed`; a type that is newer than this
     * package is a `Model\FeedEvent`. Throws WebhookVerificationException unless it was signed a short while ago with one of
     * `$secrets`: respond 400 then.
     *
     * @param string $body the bytes as they were received: `file_get_contents('php://input')`
     * @param array<string, string> $headers of the request: `getallheaders()`
     * @param string|list<string> $secrets several during a rotation
     */
    public static function verify(
        string $body,
        array $headers,
        #[\SensitiveParameter] string|array $secrets,
        int $tolerance = self::TOLERANCE_SECONDS,
        ?int $now = null,
    ): Model {
        $signature = array_change_key_case($headers)['x-service-signature'] ?? '';
        preg_match('/(?:^|,)\s*t=(\d+)/', $signature, $time);
        preg_match_all('/(?:^|,)\s*v1=([0-9a-f]+)/', $signature, $found);
        $genuine = false;
        foreach ((array) $secrets as $secret) {
            $secret = trim($secret);
            if (!str_starts_with($secret, 'whsec_')) {
                throw new \InvalidArgumentException('A signing secret starts with whsec_.');
            }
            $expected = hash_hmac('sha256', ($time[1] ?? '') . ".$body", $secret);
            foreach ($found[1] as $one) {
                $genuine = hash_equals($expected, $one) || $genuine;
            }
        }
        if (!$genuine) {
            throw new WebhookVerificationException('No signature was made with one of these secrets.');
        }
        if (abs(($now ?? time()) - (int) $time[1]) > $tolerance) {
            throw new WebhookVerificationException('The delivery was not signed within the tolerance.');
        }
        $event = json_decode($body, false, 512, JSON_THROW_ON_ERROR);
        $class = __NAMESPACE__ . '\Model\Webhook' . str_replace(['.', '_'], '', ucwords($event->type ?? '', '._'));

        return is_subclass_of($class, Model::class) ? $class::read($event) : Model\FeedEvent::read($event);
    }
}
