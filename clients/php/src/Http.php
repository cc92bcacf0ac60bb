<?php

declare(strict_types=1);

namespace TravelPartner;

/** Sends one request: with curl if PHP has it, else through PHP's own streams. Neither follows redirects. */
final class Http
{
    private ?\CurlHandle $curl = null;

    /**
     * Throws NoAnswerException if no whole response came within `$timeout` seconds.
     *
     * @param array<string, string> $headers
     *
     * @return array{int, array<string, string>, string} status, headers with names in lower case, body
     */
    public function send(string $method, string $url, #[\SensitiveParameter] array $headers, ?string $body, float $timeout): array
    {
        $lines = [];
        foreach ($headers as $name => $value) {
            $lines[] = "$name: $value";
        }

        return extension_loaded('curl')
            ? $this->withCurl($method, $url, $lines, $body, $timeout)
            : $this->withStreams($method, $url, $lines, $body, $timeout);
    }

    private function withCurl(string $method, string $url, #[\SensitiveParameter] array $lines, ?string $body, float $timeout): array
    {
        $this->curl ??= curl_init(); // kept, and with it the connection
        curl_reset($this->curl);
        $received = [];
        $options = [
            CURLOPT_URL => $url,
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_HTTPHEADER => [...$lines, 'Expect:'],
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_CONNECTTIMEOUT_MS => (int) min(10_000, $timeout * 1000),
            CURLOPT_TIMEOUT_MS => (int) ($timeout * 1000),
            CURLOPT_HEADERFUNCTION => static function ($curl, string $line) use (&$received): int {
                $received[] = $line;

                return strlen($line);
            },
        ];
        curl_setopt_array($this->curl, null === $body ? $options : $options + [CURLOPT_POSTFIELDS => $body]);
        $content = curl_exec($this->curl);
        if (false === $content) {
            throw new NoAnswerException("$method $url: " . curl_error($this->curl));
        }

        return [curl_getinfo($this->curl, CURLINFO_RESPONSE_CODE), self::headers($received), $content];
    }

    private function withStreams(string $method, string $url, #[\SensitiveParameter] array $lines, ?string $body, float $timeout): array
    {
        $ends = microtime(true) + $timeout;
        $http = ['method' => $method, 'header' => $lines, 'content' => $body ?? '', 'timeout' => $timeout];
        $http += ['ignore_errors' => true, 'follow_location' => 0, 'protocol_version' => 1.1];
        $stream = @fopen($url, 'rb', false, stream_context_create(['http' => $http]));
        if (false === $stream) {
            throw new NoAnswerException("$method $url: " . (error_get_last()['message'] ?? 'no connection'));
        }
        $received = stream_get_meta_data($stream)['wrapper_data'];
        $content = '';
        while (!feof($stream)) {
            $left = $ends - microtime(true);
            stream_set_timeout($stream, (int) max(0, $left), (int) (fmod(max(0, $left), 1) * 1_000_000));
            $piece = $left > 0 ? fread($stream, 65_536) : false;
            if (false === $piece || stream_get_meta_data($stream)['timed_out']) {
                throw new NoAnswerException("$method $url: no whole response within $timeout seconds");
            }
            $content .= $piece;
        }
        fclose($stream);
        $headers = self::headers($received);
        if (strlen($content) < (int) ($headers['content-length'] ?? 0)) {
            throw new NoAnswerException("$method $url: the connection broke off");
        }
        preg_match('/^HTTP\S+ (\d+)/', implode("\n", preg_grep('/^HTTP/', $received)), $status);

        return [(int) ($status[1] ?? 0), $headers, $content];
    }

    /**
     * @param list<string> $lines
     *
     * @return array<string, string>
     */
    private static function headers(array $lines): array
    {
        $found = [];
        foreach ($lines as $line) {
            [$name, $value] = explode(':', $line, 2) + [1 => null];
            if (null !== $value) {
                $found[strtolower(trim($name))] = trim($value);
            }
        }

        return $found;
    }
}
