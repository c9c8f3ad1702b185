// Errors of streams.
import { entry } from '../common/errors.ts';

export const STREAM_ERRORS = {
  too_many_connections: entry(
    { status: 429, retryable: true },
    'Too many connections',
    'The address of a client (IPv6: its /64 network) has reached the limit of open streams.',
  ),
  upgrade_required: entry(
    { status: 426 },
    'Upgrade required',
    'A WebSocket endpoint was called without a WebSocket handshake.',
  ),
  service_full: entry(
    { status: 503, retryable: true },
    'Service full',
    'The service has reached its limit of open streams. Retry-After gives the time to wait.',
  ),
  malformed_json: entry({}, 'Malformed JSON', 'A WebSocket message is not JSON.'),
  invalid_message: entry({}, 'Invalid message', 'A field of a WebSocket message is missing or invalid.'),
  unknown_action: entry(
    {},
    'Unknown action',
    'The `action` of a WebSocket message is not one of subscribe, unsubscribe, list, ping.',
  ),
  unknown_channel: entry(
    {},
    'Unknown channel',
    'A request on /ws names no channel, or one that does not exist. The connection stays open.',
  ),
  bad_messages: entry(
    { close: 4400 },
    'Too many invalid messages',
    'The tenth invalid message on a connection, or a binary frame.',
  ),
  too_slow: entry(
    { close: 4409, retryable: true },
    'Client too slow',
    'The client fell behind and did not catch up, although it was notified and received only the latest messages.',
  ),
  message_too_large: entry(
    { close: 4413 },
    'Message too large',
    'A WebSocket message is larger than 64 KiB. (A frame larger than 1 MiB closes the connection with 1009.)',
  ),
  stream_limit: entry(
    { status: 429, close: 4429, retryable: true },
    'Stream limit reached',
    'The account has reached the limit of open streams of its tier. Its other streams stay open.',
  ),
  too_many_messages: entry(
    { close: 4429, retryable: true },
    'Too many messages',
    'The client sent too many messages, pings and pongs in one second (the default limit is 100).',
  ),
  subscription_limit: entry(
    {},
    'Subscription limit reached',
    'The connection has reached its limit of subscriptions, or the account its limit of live indicators. In the response to a subscribe message the symbol is listed in `rejected` with this code.',
  ),
};
