// Response headers of the REST interface, and the responses that carry them.
import { API_VERSION } from './version.ts';

export interface ResponseHeader {
  readonly description: string;
  readonly type: 'string' | 'integer';
  readonly example: string | number;
  /**
   * `every`: all responses. `authenticated`: responses to an authenticated caller. `etag`: responses with an ETag. `quote`:
   * responses with a stale quote. `position`: market data with a position in the streams. `cookie`: responses that set or remove
   * the session cookie. `evidence`: the tape of a day. `files`: files of history. `tape`: ticks.
   * `replay`: what can be read in a replay. `practice`: signals in a replay. Numbers: responses with these
   * HTTP statuses.
   */
  readonly on:
    | 'every'
    | 'authenticated'
    | 'etag'
    | 'quote'
    | 'position'
    | 'cookie'
    | 'evidence'
    | 'files'
    | 'tape'
    | 'replay'
    | 'practice'
    | readonly number[];
}

/** Headers of some responses: what each means, and an example. */
const on = <Name extends string>(
  responses: ResponseHeader['on'],
  headers: Readonly<Record<Name, readonly [description: string, example: string | number]>>,
) =>
  Object.fromEntries(
    Object.entries<readonly [string, string | number]>(headers).map(([name, [description, example]]) => [
      name,
      { description, type: typeof example === 'number' ? 'integer' : 'string', example, on: responses },
    ]),
  ) as Readonly<Record<Name, ResponseHeader>>;

export const RESPONSE_HEADERS = {
  ...on('every', {
    'X-Request-Id': ['Id of the request in the log of the service. Errors repeat it as `request_id`', 'req_5n8v2c7p'],
    'API-Version': ['Version of the interface', API_VERSION],
    'Data-Source': ['`simulated` if the market data is simulated; absent if it is real', 'simulated'],
    'Warning-Parameters': ['Unknown query parameters, which were ignored; absent if there were none', 'timefrme'],
  }),
  ...on('authenticated', {
    'RateLimit-Policy': [
      'Rate limit of the account: `q` requests per window of `w` seconds (IETF draft, structured field)',
      '"minute";q=60;w=60',
    ],
    RateLimit: [
      'Remaining requests `r`, and seconds `t` until the oldest counted request leaves the window',
      '"minute";r=59;t=60',
    ],
    'X-RateLimit-Limit': ['Requests allowed in any 60 seconds', 60],
    'X-RateLimit-Remaining': ['Requests remaining now', 59],
    'X-RateLimit-Reset': ['Unix time when the oldest counted request expires', 1767225600],
  }),
  ...on('etag', {
    ETag: [
      'Identifies this version of the response. Send it in `If-None-Match` to get a 304 while it is unchanged',
      '"mi2k9f1s-4x"',
    ],
    'Cache-Control': [
      '`private, no-cache` with an `ETag`: store and revalidate; `immutable` on a sealed day; otherwise `no-store`',
      'private, no-cache',
    ],
    Vary: ['`Accept-Encoding` if the response is compressed with gzip for clients that accept it', 'Accept-Encoding'],
  }),
  ...on('quote', {
    'Quote-Age': ['Age of the quote in seconds, if it is stale', 4210],
  }),
  ...on('position', {
    'Stream-Epoch': [
      'With `Stream-Seq`, the position in the streams that the response reflects. Send both as `resume_from` to continue live ' +
        'from there',
      '9f3c81d2a07b',
    ],
    'Stream-Seq': ['Number of the last event that the response includes', 40_917],
  }),
  ...on('files', {
    Link: [
      'Address of the next page of JSON (`rel="next"`); absent on the last one',
      '</api/bars/EURUSD?interval=1d&cursor=b1772143200000>; rel="next"',
    ],
    'Export-Rows': ['Rows of the file; only on files', 372480],
    'Export-Rows-Limit': [
      'Rows that the account may download per UTC day; only on files and pages of more than 500 rows',
      5000000,
    ],
    'Export-Rows-Remaining': ['Rows left for the day after this response', 4627520],
    'Export-Rows-Reset': ['Seconds until the count of rows resets, at 00:00 UTC', 41230],
    'Export-Gaps': [
      'Number of gaps in the bars of a file. The metadata of a Parquet file lists them, and so does the coverage endpoint',
      0,
    ],
    'Accept-Ranges': ['`bytes` on a file: a part of it can be requested with the header `Range`', 'bytes'],
  }),
  ...on('tape', {
    'Tape-Retention-Days': ['Days for which ticks are kept', 14],
    'Tape-Start': ['Start of the first day that the tape has; absent if it is empty', '2026-02-16T00:00:00.000Z'],
  }),
  ...on('replay', {
    'Replay-Clock': [
      'Time that the response is as of, if the request names a replay session',
      '2026-03-02T08:30:00.000Z',
    ],
  }),
  ...on('practice', {
    Practice: ['`true` if the response is about practice signals alone, which are in no log and no ranking', 'true'],
  }),
  ...on('evidence', {
    'Evidence-Source': [
      '`sealed` if the body is the sealed file of the day, `tape` if it was read from the tape',
      'sealed',
    ],
    'Evidence-SHA256': [
      'SHA-256 of the uncompressed body as the log has it, hex; only on a sealed day',
      '09fc9a5f903f25fbe3383763378d60e5c6ad9456e277b05cc6e1cc87f0f91248',
    ],
  }),
  ...on('cookie', {
    'Set-Cookie': [
      'Sets or removes the session cookie. Its name is `tickwire` if the service is reached over plain HTTP',
      '__Host-tickwire=…; Path=/; Max-Age=2592000; HttpOnly; SameSite=Strict; Secure',
    ],
  }),
  ...on([409, 429, 503], {
    'Retry-After': ['Seconds to wait before repeating the request; present if the same request may then succeed', 12],
  }),
  ...on([405], {
    Allow: ['Methods that the path supports', 'GET, HEAD'],
  }),
};
