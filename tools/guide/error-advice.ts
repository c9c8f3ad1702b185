// What a caller does about each error, for the page of errors. The catalogue in `packages/contract` says when an error occurs.
import type { ErrorCode } from '@tickwire/contract';

export const ERROR_ADVICE: Readonly<Record<ErrorCode, string>> = {
  // Requests
  invalid_parameter: 'Correct the parameters in `errors`: each has the allowed values in words.',
  repeated_parameter: 'Send the parameter once. Separate the values of a list by commas.',
  unknown_parameter: 'Correct the name, or leave it out: `errors` has the nearest known name.',
  malformed_path: 'Encode the path with the function of your language, such as `encodeURIComponent`.',
  malformed_body: 'Send one JSON document in UTF-8, and set `Content-Encoding: gzip` only if the body is compressed.',
  not_found:
    'Compare the path with the API reference at `/docs`. Paths are case-sensitive and have no slash at the end.',
  method_not_allowed: 'Use one of the methods in the header `Allow`.',
  idempotency_conflict:
    'Use a new `Idempotency-Key` for each new request, and the old one only to repeat the same body.',
  payload_too_large: 'Split the body into several requests, or compress lines with gzip.',
  uri_too_long: 'Ask for fewer symbols in one request.',
  unsupported_encoding: 'Send the body as it is, or with `Content-Encoding: gzip`.',
  internal: 'Repeat the request after a few seconds. If it fails again, give `request_id` to the operator.',
  no_active_ingest: 'Repeat the request after `Retry-After`. Prices and streams continue meanwhile.',
  store_unavailable: 'Repeat the request later. Current data, which is in memory, is still available.',
  shutting_down: 'Reconnect with exponential backoff and jitter, and resume. Both clients do so.',

  // Market data
  symbol_not_found: 'Look the symbol up with `GET /api/symbols`. `EUR/USD` is EURUSD, but BTC/USDT is never BTCUSD.',
  venue_not_found: 'Use the name of a configured venue, which the message lists, or `all` to search every one.',
  venue_unavailable: 'Repeat the request after `Retry-After`. A long list may have arrived by then.',
  instrument_exists: 'Use the instrument in the message, or add the one of another venue whose symbol differs.',
  too_many_instruments: 'Run another service for further instruments. Added instruments stay for good.',
  no_quote:
    'Repeat the request after a moment, or when the market opens. Operators see the state of feeds at `GET /api/feeds`.',
  no_trades: 'Use an instrument whose feed has trades, such as one of a crypto venue.',
  not_perpetual: 'Use the symbol of a perpetual, which ends with `.P`.',
  no_conversion: 'Use another currency for the account, or ask the operator for an instrument that connects the two.',
  export_rows_exhausted:
    'Ask for the narrower range in the message, for pages of JSON, which cost no rows, or wait until 00:00 UTC.',
  precondition_failed: 'Request the file again from its beginning, without `If-Match`.',
  range_not_satisfiable: 'Read the size of the file with `HEAD`, and request a range within it.',
  ingest_disabled: 'Start the service with `push` among its feeds: `TICKWIRE_FEEDS=push`.',

  // Signals
  signal_not_found: 'Check the id. Signals are never deleted, so it is wrong or from another service or realm.',
  publisher_not_found: 'List the publishers with `GET /api/publishers`, or use the id (`pub_…`), which never changes.',
  no_evidence: 'Check day and symbol. Ticks of unsealed days are deleted after the days in `Tape-Retention-Days`.',
  too_many_downloads: 'Finish one download before the next. Repeat the request after `Retry-After`.',
  not_your_signal: 'Use a key of the account that published the signal.',
  signal_closed: 'Nothing. Read the result with `GET /api/signals/{id}`.',
  close_requested: 'Nothing. Wait for the closing on the stream of signals.',
  signal_voided: 'Nothing. The reason is in the log of the signal.',
  too_many_signals:
    'Close a signal, or wait until one closes. The operator sets the limit (`TICKWIRE_MAX_ACTIVE_SIGNALS`).',
  too_many_signals_of_symbol: 'Close a signal of the instrument, or ask the operator for a higher tier.',
  signals_exhausted: 'Publish again after 00:00 UTC, or ask the operator for a higher tier.',
  market_closed: 'Repeat the request when the market is open: `GET /api/market/{symbol}/hours` has its sessions.',
  stale_quote:
    'Repeat the request when the next quote has arrived. Operators see the state of feeds at `GET /api/feeds`.',
  price_unconfirmed: 'Repeat the request after the next quote, with levels for the new price.',
  unclear_signal:
    'Change the part that `errors` quotes as `detail` says. [Signals from chat](../signals-from-chat.md) has what is understood.',
  finer_than_digits: 'Round prices to `digits` of the instrument: `GET /api/symbols?detail=true`.',
  levels_out_of_order: 'Check the direction first: a sell has its stop above the entry and its target below.',
  invalid_targets: 'Correct the fractions or `breakeven_after`. Leave `take_profit` out if you send `targets`.',
  stop_not_tighter:
    'Send a stop that is nearer to the market. `current_stop_loss` with `detail=true` is the one in force.',
  too_many_amendments: 'Leave the stop where it is, or close the signal.',
  signature_required: 'Sign the request with the key of the account. Both clients do so if they get a signer.',
  invalid_signature: 'Sign exactly the fields that you send, with the key that the account has registered.',
  stale_signature: 'Check the clock of your machine, then sign and send again.',
  entry_too_far: 'Read the current quote and choose an entry nearer to it. Check the decimal point.',
  distance_out_of_range:
    'Move the stop or the target. Distances count from the entry, in the spread of the newest quote.',
  level_reached: 'Read the current quote and set the levels again.',
  expiry_out_of_range: 'Send an `expires_at` within the next 30 days, in ISO 8601 with a time zone, or none.',

  // News
  news_not_found: 'List recent items with `GET /api/news?detail=true`. The operator sets how long items are kept.',

  // AI
  ai_calls_exhausted: 'Repeat the call after 00:00 UTC, or ask the operator for a higher tier.',
  model_not_found: 'Choose a model of `GET /api/ai/models`, or leave `model` out.',
  model_unavailable: 'Repeat the call later, or use the built-in model, which needs no provider.',

  // Alerts
  alert_not_found: 'List the alerts with `GET /api/alerts`. Alerts that are over are deleted after 30 days.',
  subscription_not_found: 'List the subscriptions with `GET /api/subscriptions`.',
  destination_not_found: 'List the destinations with `GET /api/destinations`.',
  delivery_not_found: 'List the messages with `GET /api/deliveries`. They are deleted after 30 days.',
  invalid_condition: 'Correct the condition as the message says.',
  replay_not_found: 'Create another session with `POST /api/replays`.',
  not_in_replay: 'Leave out the header `Replay` and the parameter `replay`: the answer is that of the present.',
  saved_record_not_found: 'List the saved records with `GET /api/practice-records`.',
  too_many_saved_records: 'Delete a saved record that is no longer needed, or ask the operator for a higher tier.',
  too_many_replays: 'Delete a session that is no longer used, or ask the operator for a higher tier.',
  too_many_alerts: 'Delete or pause an alert or a subscription, or ask the operator for a higher tier.',
  too_many_destinations: 'Delete a destination that is no longer used.',
  chat_channel_not_found: 'List the chat channels with `GET /api/chat-channels`.',
  too_many_chat_channels: 'Remove a chat channel that is no longer used.',
  channel_not_configured: 'Use another channel, or ask the operator to set what the message names.',
  private_address:
    'Use a public address. Operators of a private service can set `TICKWIRE_DELIVERY_ALLOW_PRIVATE=true`.',
  destination_unverified: 'Send the code that the destination received to `POST /api/destinations/{id}/verify`.',
  wrong_destination_code: 'Check the code. If it has expired, create the destination again for a new one.',
  not_replayable: 'Nothing, if the message was delivered. Otherwise wait: it is still being tried.',

  // Authentication, limits and accounts
  missing_key: 'Send the key in the header `X-API-Key`, or on a WebSocket as `api_key` of the first message.',
  invalid_key: 'Check the whole key, from `tw_` to its end. If it has expired or was revoked, create a new one.',
  missing_scope: 'Create a key with the scope in the message: `tickwire keys create --scope read,publish`.',
  rate_limited:
    'Wait for `Retry-After`. Read many quotes with one `GET /api/quotes`, or use a stream, which costs no requests.',
  too_many_failures: 'Find the program that sends a wrong key, and wait a minute. Valid keys are not affected.',
  too_many_requests: 'Wait for `Retry-After`. Behind a proxy, the operator sets `TICKWIRE_TRUSTED_PROXIES`.',
  session_required: 'Sign in. Programs that need this use a session of their own.',
  invalid_session: 'Sign in again.',
  wrong_credentials: 'Check name and password. The operator can set a new one: `tickwire accounts reset-password`.',
  wrong_password: 'Repeat the request with the current password of the account.',
  confirmation_required:
    'Send the password, and the code with two-factor sign-in, to `POST /api/account/confirm`, and repeat the request. A key never gets this error.',
  two_factor_required: 'Repeat the sign-in with the code of the app, or with a recovery code.',
  wrong_code: 'Wait for the next code of the app. If no code works, check the clock of the phone.',
  two_factor_enabled: 'Disable two-factor sign-in first, to set it up with another app.',
  two_factor_disabled: 'Start the set-up with `POST /api/account/two-factor/set-up`.',
  account_disabled: 'Ask the operator.',
  foreign_origin: 'Use a key from pages of other origins. Behind a proxy, the operator sets `TICKWIRE_PUBLIC_URL`.',
  registration_closed: 'Ask the operator for an invitation.',
  invalid_token: 'Ask for a new link. The setup link of the owner is printed at each start, until there is one.',
  account_not_found: 'List the accounts with `GET /api/admin/accounts`.',
  key_not_found: 'List the keys with `GET /api/keys`.',
  link_not_found: 'List the links with `GET /api/links`.',
  session_not_found: 'List the sessions with `GET /api/account/sessions`. It may have ended meanwhile.',
  invitation_not_found: 'List the invitations with `GET /api/admin/invitations`.',
  name_taken: 'Choose another name.',
  owner_account: 'Nothing. A service always has its owner.',
  markets_fixed: 'Do what the message says: remove the setting that it names, or start the service with other feeds.',
  document_not_found: 'List the documents with `GET /api/account/documents`.',
  document_conflict: 'Read the document, merge your change into it, and send it with the new revision.',
  too_many_documents: 'Delete documents that are no longer used.',
  key_revoked: 'Create a new key.',
  too_many_keys: 'Revoke keys and links that are no longer used.',
  key_creations_exhausted: 'Create keys after 00:00 UTC, or on the command line, which has no daily limit.',
  too_many_attempts: 'Wait for `Retry-After`.',

  // Streams
  too_many_connections: 'Close connections that are no longer used, and carry several channels on one: `/ws`.',
  upgrade_required: 'Use a WebSocket client (`ws://`), or `/sse` for the same messages over plain HTTP.',
  service_full: 'Reconnect after `Retry-After`. The operator sets the limit (`TICKWIRE_MAX_CONNECTIONS`).',
  malformed_json: 'Send one JSON object per message. Ten invalid messages close the connection.',
  invalid_message: 'Correct the field in the message of the error.',
  unknown_action: 'Use `subscribe`, `unsubscribe`, `list` or `ping`.',
  unknown_channel:
    'Add `channel`: `market`, `bars`, `orderflow`, `footprint`, `perpetual`, `signals`, `news` or `alerts`.',
  bad_messages: 'Correct the program, then reconnect. The errors before the close say what was invalid.',
  too_slow:
    'Reconnect and resume. Read faster, subscribe to fewer symbols, or use `max_rate` or `"delivery":"latest"`.',
  message_too_large: 'Split the symbols of a subscription over several messages, or subscribe to `"*"`.',
  stream_limit:
    'Close a stream, carry several channels on one connection (`/ws`), or ask the operator for a higher tier.',
  too_many_messages: 'Send fewer messages: one `subscribe` can have all symbols.',
  subscription_limit: 'Unsubscribe from symbols, or use `"*"`.',
};
