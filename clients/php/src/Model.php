<?php

declare(strict_types=1);

namespace TravelPartner;

/**
 * A value that the service takes or returns. Make one with its properties by name: `new ContactInput(email: '…', phone: '…')`.
 */
abstract class Model implements \JsonSerializable
{
    /** How objects in a property are read: as a class, or as one of several classes, by a property of theirs. */
    protected const READ = [];

    final public function __construct(mixed ...$values)
    {
        foreach ($values as $name => $value) {
            if (!property_exists($this, (string) $name)) {
                throw new \InvalidArgumentException(static::class . " has no property $name.");
            }
            $this->$name = $value;
        }
    }

    /** The value of this JSON. Properties that are newer than this package are skipped. */
    final public static function read(mixed $json): static
    {
        $found = new static();
        foreach ($json instanceof \stdClass ? $json : [] as $name => $value) {
            if (!property_exists($found, $name)) {
                continue;
            }
            try {
                $found->$name = self::value($value, static::READ[$name] ?? null);
            } catch (\TypeError $error) {
                throw new TravelPartnerException('The response cannot be read: ' . $error->getMessage(), 0, $error);
            }
        }

        return $found;
    }

    private static function value(mixed $json, string|array|null $class): mixed
    {
        if (is_array($json)) {
            return array_map(static fn (mixed $item): mixed => self::value($item, $class), $json);
        }
        if (!$json instanceof \stdClass) {
            return $json;
        }
        if (is_array($class)) {
            [$property, $classes] = $class;
            $class = $classes[$json->$property ?? ''] ?? null;
        }
        if (null !== $class) {
            return $class::read($json);
        }

        return array_map(static fn (mixed $item): mixed => self::value($item, null), get_object_vars($json));
    }

    public function jsonSerialize(): object
    {
        return (object) array_filter(get_object_vars($this), static fn (mixed $value): bool => null !== $value);
    }
}
