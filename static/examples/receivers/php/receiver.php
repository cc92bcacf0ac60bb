<?php
// A webhook receiver without dependencies: verify, deduplicate, answer fast, work afterwards.
//
//     WEBHOOK_SECRET=whsec_… php -S 127.0.0.1:3000 receiver.php
//
// Either signature is enough. This one checks `X-Service-Signature`; a Standard Webhooks library checks the other
// one, `webhook-signature`, with the same secret.

declare(strict_types=1);

const TOLERANCE_SECONDS = 300;

// Whether `X-Service-Signature: t=…,v1=…[,v1=…]` was made with our secret, at most five minutes ago.
// While a secret is being rotated there are two v1 values; one of them is made with the secret you have.
function is_genuine(string $header, string $body, string $secret, int $now): bool
{
    $timestamp = '';
    $values = [];
    foreach (explode(',', $header) as $field) {
        [$name, $value] = explode('=', $field, 2) + [1 => ''];
        if ($name === 't') {
            $timestamp = $value;
        } elseif ($name === 'v1') {
            $values[] = $value;
        }
    }
    if (!preg_match('/^\d{1,12}$/D', $timestamp) || abs($now - (int) $timestamp) > TOLERANCE_SECONDS) {
        return false;
    }
    // The body as it came in, byte for byte: parsing it and writing it anew would change it.
    $expected = hash_hmac('sha256', $timestamp . '.' . $body, $secret);
    foreach ($values as $value) {
        if (hash_equals($expected, $value)) {
            return true;
        }
    }
    return false;
}

// Stores that this event came, and says whether it is new. Yours is a database table with a unique event id; this one is a file for each.
function is_new(string $event_id): bool
{
    $inbox = getenv('INBOX') ?: sys_get_temp_dir() . '/webhook-inbox';
    if (!is_dir($inbox)) {
        @mkdir($inbox, 0700, true);
    }
    $path = $inbox . '/' . preg_replace('/[^A-Za-z0-9_-]/', '', $event_id);
    $file = @fopen($path, 'x'); // fails where the file is there: delivered before
    if ($file === false && !file_exists($path)) {
        throw new RuntimeException("Nothing can be stored in $inbox");
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
    http_response_code(500); // what is not stored must be sent again
    exit;
}
http_response_code(204); // within 10 seconds
if (function_exists('fastcgi_finish_request')) {
    fastcgi_finish_request(); // the answer is out; what follows takes its time
}
if ($is_new) {
    // Your work goes here, or better: put the event in a queue.
    file_put_contents('php://stdout', "processed {$event['id']} {$event['type']}\n");
}
