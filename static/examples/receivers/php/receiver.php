<?php
// A webhook receiver without dependencies: verify, deduplicate, respond at once, process afterwards.
//
//     WEBHOOK_SECRET=whsec_… php -S 127.0.0.1:3000 receiver.php
//
// Either signature is enough. This one checks `X-Service-Signature`; a Standard Webhooks library checks the other
// one, `webhook-signature`, with the same secret.

declare(strict_types=1);

// Whether `X-Service-Signature: t=…,v1=…[,v1=…]` was made with our secret, at most five minutes ago.
function is_genuine(string $header, string $body, string $secret, int $now): bool
{
    $timestamp = '';
    $values = [];
    foreach (explode(',', $header) as $field) {
        [$name, $value] = explode('=', $field, 2) + [1 => ''];
        if ($name === 't') {
            $timestamp = $value;
        } elseif ($name === 'v1') {
            $values[] = $value; // while a secret is rotated there are two
        }
    }
    if (!preg_match('/^\d{1,12}$/D', $timestamp) || abs($now - (int) $timestamp) > 300) {
        return false;
    }
    // The bytes as received: parsed and serialized again, they would differ.
    $expected = hash_hmac('sha256', $timestamp . '.' . $body, $secret);
    foreach ($values as $value) {
        if (hash_equals($expected, $value)) {
            return true;
        }
    }
    return false;
}

// Records the event and returns whether it is new. Use a database table with a unique event id; this is a file for each.
function is_new(string $event_id): bool
{
    $inbox = getenv('INBOX') ?: sys_get_temp_dir() . '/webhook-inbox';
    if (!is_dir($inbox)) {
        @mkdir($inbox, 0700, true);
    }
    $path = $inbox . '/' . preg_replace('/[^A-Za-z0-9_-]/', '', $event_id);
    $file = @fopen($path, 'x'); // fails if the file exists: delivered before
    if ($file === false && !file_exists($path)) {
        throw new RuntimeException("Cannot write to $inbox");
    }
    return $file !== false && fclose($file);
}

$secret = getenv('WEBHOOK_SECRET');
if ($secret === false || $secret === '') {
    http_response_code(500);
    exit;
}
$body = file_get_contents('php://input');
if (!is_genuine($_SERVER['HTTP_X_SERVICE_SIGNATURE'] ?? '', $body, $secret, time())) {
    http_response_code(400);
    exit;
}

$event = json_decode($body, true, 512, JSON_THROW_ON_ERROR);
try {
    $is_new = is_new($event['id']);
} catch (RuntimeException $failure) {
    error_log($failure->getMessage());
    http_response_code(500); // not stored, so it must be sent again
    exit;
}
http_response_code(204); // within 10 seconds
if (function_exists('fastcgi_finish_request')) {
    fastcgi_finish_request(); // the response is sent; what follows may take time
}
if ($is_new) {
    // Your work goes here, or better: put the event in a queue.
    file_put_contents('php://stdout', "processed {$event['id']} {$event['type']}\n");
}
