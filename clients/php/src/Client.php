<?php

declare(strict_types=1);

namespace TravelPartner;

/**
 * A client of the service: `new TravelPartner\Client('svc_test_…', 'https://…')`. Key and address may come from the environment,
 * as TRAVEL_PARTNER_API_KEY and TRAVEL_PARTNER_BASE_URL.
 *
 * Each POST gets an Idempotency-Key and keeps it for every attempt, so that a lost response never books twice.
 */
final class Client
{
    public const VERSION = '1.3.0';

    private const READ_SECONDS = 30.0;
    /** The service ends a booking after 45 seconds. A shorter wait would miss its result. */
    private const WRITE_SECONDS = 60.0;
    private const LONGEST_RETRY_AFTER = 60.0;

    public readonly Resource\AccountApi $account;
    public readonly Resource\OperationsApi $operations;
    public readonly Resource\PlacesApi $places;
    public readonly Resource\BookingsApi $bookings;
    public readonly Resource\TripsApi $trips;
    public readonly Resource\HotelsApi $hotels;
    public readonly Resource\FlightsApi $flights;
    public readonly Resource\TransfersApi $transfers;
    public readonly Esim $esim;
    public readonly Resource\EventsApi $events;
    public readonly Webhooks $webhooks;
    public readonly Resource\HealthApi $health;

    /** The last response, also if it was an error: its request id, limits and headers. */
    public ?Response $lastResponse = null;

    private readonly string $key;
    private readonly string $baseUrl;

    /**
     * `$attempts`: how often a call is sent at most. `$deadline`: after so many seconds no further attempt starts.
     *
     * @param (\Closure(float): void)|null $sleep for tests
     */
    public function __construct(
        #[\SensitiveParameter] ?string $key = null,
        ?string $baseUrl = null,
        private readonly int $attempts = 4,
        private readonly float $deadline = 120.0,
        private readonly Http $http = new Http(),
        private readonly ?\Closure $sleep = null,
    ) {
        $this->key = trim($key ?? (string) getenv('TRAVEL_PARTNER_API_KEY'));
        if (!preg_match('/^[\x21-\x7e]+$/D', $this->key)) {
            throw new \InvalidArgumentException('The API key is empty, or has characters that no key has.');
        }
        $address = trim($baseUrl ?? (string) getenv('TRAVEL_PARTNER_BASE_URL'));
        if (!preg_match('~^https?://[^/]~i', $address)) {
            throw new \InvalidArgumentException('The base URL must start with https:// and a host.');
        }
        $this->baseUrl = preg_replace('~/+(v1/*)?$~', '', $address);
        $this->account = new Resource\AccountApi($this);
        $this->operations = new Resource\OperationsApi($this);
        $this->places = new Resource\PlacesApi($this);
        $this->bookings = new Resource\BookingsApi($this);
        $this->trips = new Resource\TripsApi($this);
        $this->hotels = new Resource\HotelsApi($this);
        $this->flights = new Resource\FlightsApi($this);
        $this->transfers = new Resource\TransfersApi($this);
        $this->esim = new Esim($this);
        $this->events = new Resource\EventsApi($this);
        $this->webhooks = new Webhooks($this);
        $this->health = new Resource\HealthApi($this);
    }

    /** Whether the service responds. No key is needed. */
    public function ping(): Model\Ping
    {
        return Model\Ping::read($this->send('GET', '/v1/ping')->json());
    }

    /**
     * Any call, also of an operation that is newer than this package: `$client->send('GET', '/v1/account')->json()`.
     *
     * @param array<string, string> $ids for the `{names}` in the path
     * @param array<string, mixed> $query
     * @param array<string, mixed>|Model|null $body
     * @param array{idempotencyKey?: string, customerRef?: string, timeout?: float} $options
     * @param list<int> $also statuses that are no error
     */
    public function send(
        string $method,
        string $path,
        array $ids = [],
        array $query = [],
        array|Model|null $body = null,
        array $options = [],
        array $also = [],
    ): Response {
        $url = $this->baseUrl . self::located($path, $ids) . self::query($query);
        $key = 'POST' === $method ? self::sendable('idempotencyKey', $options['idempotencyKey'] ?? bin2hex(random_bytes(16))) : null;
        $headers = $this->headers($options, $key, $body);
        $content = null === $body ? null : json_encode([] === $body ? new \stdClass() : $body, JSON_THROW_ON_ERROR);
        $seconds = $options['timeout'] ?? ('POST' === $method ? self::WRITE_SECONDS : self::READ_SECONDS);
        $ends = microtime(true) + $this->deadline;
        $running = 0; // attempts that found an earlier one running: 45 seconds at most
        for ($attempt = 1; ; ++$attempt) {
            $failure = null;
            try {
                [$status, $received, $text] = $this->http->send($method, $url, $headers, $content, $seconds);
                $this->lastResponse = $response = new Response($status, $received, $text, $attempt, $key);
                if (($status >= 200 && $status < 300) || in_array($status, $also, true)) {
                    return self::whole($response);
                }
                if ('DELETE' === $method && $attempt > 1 && 404 === $status) {
                    return $response; // an earlier attempt deleted it, and its response was lost
                }
                $failure = new ApiException($response);
            } catch (NoAnswerException|\JsonException $cause) {
                $failure = new NoAnswerException($cause->getMessage(), $attempt, $key);
            }
            $running += (int) self::isRunning($failure);
            $wait = $this->wait($failure, $attempt, $attempt - $running);
            if (null === $wait || microtime(true) + $wait >= $ends) {
                throw $failure;
            }
            ($this->sleep ?? static fn (float $wait) => usleep((int) ($wait * 1_000_000)))($wait);
            $seconds = min($seconds, max(1.0, $ends - microtime(true)));
        }
    }

    /** Seconds until the next attempt; null if no attempt is left. The wait is random and doubles, up to 8 seconds. */
    private function wait(ApiException|NoAnswerException $failure, int $attempt, int $counted): ?float
    {
        $again = $failure instanceof NoAnswerException
            || self::isRunning($failure)
            || 408 === $failure->status
            || $failure->status >= 500
            || (429 === $failure->status && null !== $failure->retryAfter); // without it the day's quota is used up
        $asked = $failure instanceof ApiException ? $failure->retryAfter ?? 0.0 : 0.0;
        if (!$again || $this->attempts <= 1 || $counted >= $this->attempts || $asked > self::LONGEST_RETRY_AFTER) {
            return null;
        }

        return $asked + min(8.0, 0.5 * 2 ** ($attempt - 1)) * random_int(0, 1000) / 1000;
    }

    private static function isRunning(ApiException|NoAnswerException $failure): bool
    {
        return $failure instanceof ApiException && 'idempotency_key_in_progress' === $failure->type;
    }

    /** Throws JsonException if the body is neither a file nor whole JSON. */
    private static function whole(Response $response): Response
    {
        if (204 !== $response->status && !isset($response->headers['content-disposition'])) {
            $response->json();
        }

        return $response;
    }

    /**
     * @param array{customerRef?: string} $options
     *
     * @return array<string, string>
     */
    private function headers(array $options, ?string $key, mixed $body): array
    {
        $found = [
            'Authorization' => "Bearer $this->key",
            'Accept' => '*/*',
            'User-Agent' => 'travel-partner-php/' . self::VERSION,
        ];
        if (null !== $body) {
            $found['Content-Type'] = 'application/json';
        }
        if (null !== $key) {
            $found['Idempotency-Key'] = $key;
        }
        if (isset($options['customerRef'])) {
            $found['X-Partner-Customer-Ref'] = self::sendable('customerRef', $options['customerRef']);
        }

        return $found;
    }

    private static function sendable(string $name, string $value): string
    {
        if (!preg_match('/^[\x20-\x7e]+$/D', $value) || trim($value) !== $value) {
            throw new \InvalidArgumentException("$name must be printable ASCII, without line breaks and without spaces at its ends.");
        }

        return $value;
    }

    /** @param array<string, string> $ids */
    private static function located(string $path, array $ids): string
    {
        foreach ($ids as $name => $id) {
            if (in_array($id, ['', '.', '..'], true)) {
                throw new \InvalidArgumentException("$path: the id is empty");
            }
            $path = str_replace('{' . $name . '}', rawurlencode($id), $path);
        }

        return $path;
    }

    /** @param array<string, mixed> $query */
    private static function query(array $query): string
    {
        $given = array_filter($query, static fn (mixed $value): bool => null !== $value);
        $texts = array_map(static fn (mixed $value): string => is_bool($value) ? ($value ? 'true' : 'false') : (string) $value, $given);

        return [] === $texts ? '' : '?' . http_build_query($texts, '', '&', PHP_QUERY_RFC3986);
    }

    /** @return array<string, string> without the key */
    public function __debugInfo(): array
    {
        return ['baseUrl' => $this->baseUrl];
    }

    /** @return never */
    public function __serialize(): array
    {
        throw new \LogicException('A client holds an API key and is not serialized.');
    }
}
