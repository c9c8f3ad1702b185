// The response headers of the REST interface, and which answers carry them.
import { API_VERSION } from './version.ts';

export interface ResponseHeader {
  readonly description: string;
  readonly type: 'string' | 'integer';
  readonly example: string | number;
  /** `keyed`: every answer to a valid key. Numbers: only answers with these statuses. */
  readonly on: 'every' | 'keyed' | readonly number[];
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
