<?php

declare(strict_types=1);

namespace TravelPartner;

/** Some operations, and the client that sends them. */
abstract class Resource
{
    public function __construct(protected readonly Client $client)
    {
    }

    /** @return array<string, mixed> */
    public function __debugInfo(): array
    {
        return [];
    }

    /** @param \Closure(array<string, mixed>): Model $read */
    protected static function pages(\Closure $read, array $query): \Generator
    {
        do {
            $page = $read($query);
            foreach ($page->data as $item) {
                yield $item;
            }
            $query['cursor'] = $page->nextCursor;
        } while (null !== $page->nextCursor);
    }

    /** @param \Closure(array<string, mixed>): Model $read */
    protected static function following(\Closure $read, array $query, float $pause, bool $untilEmpty): \Generator
    {
        while (true) {
            $part = $read($query);
            foreach ($part->data as $item) {
                yield $item;
            }
            $query['after'] = $part->nextAfter;
            if (!$part->hasMore) {
                if ($untilEmpty) {
                    return;
                }
                usleep((int) ($pause * 1_000_000));
            }
        }
    }
}
