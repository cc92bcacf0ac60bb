<?php

declare(strict_types=1);

// For programs without Composer: require 'travel-partner/autoload.php';
spl_autoload_register(static function (string $class): void {
    $path = __DIR__ . '/src/' . str_replace('\\', '/', substr($class, strlen('TravelPartner\\'))) . '.php';
    if (str_starts_with($class, 'TravelPartner\\') && is_file($path)) {
        require $path;
    }
});
