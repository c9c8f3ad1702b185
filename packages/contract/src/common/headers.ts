// Response headers of the REST interface, and the responses that carry them.
import { API_VERSION } from './version.ts';

export interface ResponseHeader {
  readonly description: string;
  readonly type: 'string' | 'integer';
  readonly example: string | number;
  /**
   * `every`: all responses. `authenticated`: responses to an authenticated caller. `etag`: responses with an ETag. `quote`:
   * responses with a stale quote. `position`: market data with a position in the streams. `cookie`: responses that set or remove
   * the session cookie. `evidence`: the tape of a day. `files`: files of history. `tape`: ticks. Numbers: responses with these
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
    | readonly number[];
}

const header = (h: ResponseHeader): ResponseHeader => h;

export const RESPONSE_HEADERS = {
  'X-Request-Id': header({
    description: 'Id of the request in the log of the service. Errors repeat it as `request_id`',
    type: 'string',
    example: 'req_5n8v2c7p',
    on: 'every',
  }),
  'API-Version': header({
    description: 'Version of the interface',
    type: 'string',
    example: API_VERSION,
    on: 'every',
  }),
  'Data-Source': header({
    description: '`simulated` if the market data is simulated; absent if it is real',
    type: 'string',
    example: 'simulated',
    on: 'every',
  }),
  'Warning-Parameters': header({
    description: 'Unknown query parameters or fields of the body, which were ignored; absent if there were none',
    type: 'string',
    example: 'timefrme',
    on: 'every',
  }),
  'RateLimit-Policy': header({
    description: 'Rate limit of the account: `q` requests per window of `w` seconds (IETF draft, structured field)',
    type: 'string',
    example: '"minute";q=60;w=60',
    on: 'authenticated',
  }),
  RateLimit: header({
    description: 'Remaining requests `r`, and seconds `t` until the oldest counted request leaves the window',
    type: 'string',
    example: '"minute";r=59;t=60',
    on: 'authenticated',
  }),
  'X-RateLimit-Limit': header({
    description: 'Requests allowed in any 60 seconds',
    type: 'integer',
    example: 60,
    on: 'authenticated',
  }),
  'X-RateLimit-Remaining': header({
    description: 'Requests remaining now',
    type: 'integer',
    example: 59,
    on: 'authenticated',
  }),
  'X-RateLimit-Reset': header({
    description: 'Seconds until the oldest counted request leaves the window',
    type: 'integer',
    example: 60,
    on: 'authenticated',
  }),
  ETag: header({
    description:
      'Identifies this version of the response. Send it in `If-None-Match` to get a 304 while it is unchanged',
    type: 'string',
    example: '"mi2k9f1s-4x"',
    on: 'etag',
  }),
  'Cache-Control': header({
    description:
      '`private, no-cache` on responses with an `ETag`: store the response and revalidate it each time; `immutable` on a sealed day; otherwise `no-store`',
    type: 'string',
    example: 'private, no-cache',
    on: 'etag',
  }),
  Vary: header({
    description: '`Accept-Encoding` if the response is compressed with gzip for clients that accept it',
    type: 'string',
    example: 'Accept-Encoding',
    on: 'etag',
  }),
  'Quote-Age': header({
    description:
      'Age of the quote in seconds, only if it is stale: restored from the store with none since, or older than 60 seconds in an ' +
      'open market',
    type: 'integer',
    example: 4210,
    on: 'quote',
  }),
  'Stream-Epoch': header({
    description:
      'With `Stream-Seq`, the position in the streams up to which the response includes everything, and nothing later. Send both ' +
      'as `resume_from` to continue live from there. Absent for a moment while a gateway restores its data',
    type: 'string',
    example: '9f3c81d2a07b',
    on: 'position',
  }),
  'Stream-Seq': header({
    description: 'Number of the last event that the response includes',
    type: 'integer',
    example: 40_917,
    on: 'position',
  }),
  Link: header({
    description: 'Address of the next page of JSON (`rel="next"`); absent on the last one',
    type: 'string',
    example: '</api/bars/EURUSD?interval=1d&cursor=b1772143200000>; rel="next"',
    on: 'files',
  }),
  'Export-Rows': header({
    description: 'Rows of the file; only on files',
    type: 'integer',
    example: 372480,
    on: 'files',
  }),
  'Export-Rows-Limit': header({
    description: 'Rows that the account may download as files per UTC day; only on files',
    type: 'integer',
    example: 5000000,
    on: 'files',
  }),
  'Export-Rows-Remaining': header({
    description: 'Rows that are left for the day once this response is sent completely; only on files',
    type: 'integer',
    example: 4627520,
    on: 'files',
  }),
  'Export-Rows-Reset': header({
    description: 'Seconds until the count of rows resets, at 00:00 UTC; only on files',
    type: 'integer',
    example: 41230,
    on: 'files',
  }),
  'Export-Gaps': header({
    description:
      'Number of gaps in the bars of a file: times at which the market was open and no bar was recorded. The metadata of a ' +
      'Parquet file lists them, and so does the coverage endpoint',
    type: 'integer',
    example: 0,
    on: 'files',
  }),
  'Accept-Ranges': header({
    description: '`bytes` on a file: a part of it can be requested with the header `Range`',
    type: 'string',
    example: 'bytes',
    on: 'files',
  }),
  'Tape-Retention-Days': header({
    description: 'Days for which ticks are kept',
    type: 'integer',
    example: 14,
    on: 'tape',
  }),
  'Tape-Start': header({
    description: 'Start of the first day that the tape has; absent if it is empty',
    type: 'string',
    example: '2026-02-16T00:00:00.000Z',
    on: 'tape',
  }),
  'Evidence-Source': header({
    description: '`sealed` if the body is the sealed file of the day, `tape` if it was read from the tape',
    type: 'string',
    example: 'sealed',
    on: 'evidence',
  }),
  'Evidence-SHA256': header({
    description: 'SHA-256 of the uncompressed body as the log has it, hex; only on a sealed day',
    type: 'string',
    example: '09fc9a5f903f25fbe3383763378d60e5c6ad9456e277b05cc6e1cc87f0f91248',
    on: 'evidence',
  }),
  'Set-Cookie': header({
    description: 'Sets or removes the session cookie. Its name is `tickwire` if the service is reached over plain HTTP',
    type: 'string',
    example: '__Host-tickwire=…; Path=/; Max-Age=2592000; HttpOnly; SameSite=Strict; Secure',
    on: 'cookie',
  }),
  'Retry-After': header({
    description: 'Seconds to wait before repeating the request; present if the same request may then succeed',
    type: 'integer',
    example: 12,
    on: [409, 429, 503],
  }),
  Allow: header({
    description: 'Methods that the path supports',
    type: 'string',
    example: 'GET, HEAD',
    on: [405],
  }),
} as const satisfies Record<string, ResponseHeader>;
