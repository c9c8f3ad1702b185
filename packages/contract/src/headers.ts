// The response headers of the REST interface, and which answers carry them.
import { API_VERSION } from './version.ts';

export interface ResponseHeader {
  readonly description: string;
  readonly type: 'string' | 'integer';
  readonly example: string | number;
  /** `keyed`: every answer to a valid key. `tagged`: answers that have a tag. `cookie`:
   * answers about the cookie of a session. Numbers: only answers with these statuses. */
  readonly on: 'every' | 'keyed' | 'tagged' | 'cookie' | readonly number[];
}

const header = (h: ResponseHeader): ResponseHeader => h;

export const RESPONSE_HEADERS = {
  'X-Request-Id': header({
    description: 'Identifies the request in the log of the service; `request_id` of an error is the same',
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
    description: '`simulated` where the data is simulated; absent where it is real',
    type: 'string',
    example: 'simulated',
    on: 'every',
  }),
  'RateLimit-Policy': header({
    description: "The allowance: quota `q` in a window of `w` seconds (structured field of the IETF's draft)",
    type: 'string',
    example: '"minute";q=60;w=60',
    on: 'keyed',
  }),
  RateLimit: header({
    description: 'What is left: `r` requests, and `t` seconds until the oldest counted one leaves the window',
    type: 'string',
    example: '"minute";r=59;t=60',
    on: 'keyed',
  }),
  'X-RateLimit-Limit': header({
    description: 'Requests allowed in any 60 seconds',
    type: 'integer',
    example: 60,
    on: 'keyed',
  }),
  'X-RateLimit-Remaining': header({
    description: 'Requests left now',
    type: 'integer',
    example: 59,
    on: 'keyed',
  }),
  'X-RateLimit-Reset': header({
    description: 'Seconds until the oldest counted request leaves the window',
    type: 'integer',
    example: 60,
    on: 'keyed',
  }),
  ETag: header({
    description: 'Names these very bytes: send it as `If-None-Match`, and an answer that is still the same is a 304',
    type: 'string',
    example: '"mi2k9f1s-4x"',
    on: 'tagged',
  }),
  'Cache-Control': header({
    description: '`private, no-cache` where there is an `ETag`: keep it, and ask each time; `no-store` elsewhere',
    type: 'string',
    example: 'private, no-cache',
    on: 'tagged',
  }),
  Vary: header({
    description: '`Accept-Encoding` where the answer comes in gzip to those who take it',
    type: 'string',
    example: 'Accept-Encoding',
    on: 'tagged',
  }),
  'Set-Cookie': header({
    description:
      'The cookie of a session, or its end; its name is `tickwire` where the service is reached over plain HTTP',
    type: 'string',
    example: '__Host-tickwire=…; Path=/; Max-Age=2592000; HttpOnly; SameSite=Strict; Secure',
    on: 'cookie',
  }),
  'Retry-After': header({
    description: 'Seconds to wait before the next request, where the same one may succeed then',
    type: 'integer',
    example: 12,
    on: [409, 429, 503],
  }),
  Allow: header({
    description: 'The methods that the path has',
    type: 'string',
    example: 'GET, HEAD',
    on: [405],
  }),
} as const satisfies Record<string, ResponseHeader>;
