// The description of one REST endpoint, from which routes, documents and the reference page are generated.
import type { z } from 'zod';
import type { Scope } from './tiers.ts';

/** Maximum length of an Idempotency-Key and of the `id` of a TradingView alert, in characters. */
export const MAX_IDEMPOTENCY_KEY = 255;
/** Maximum size of a body that is one JSON document, in bytes. */
export const MAX_DOCUMENT_BYTES = 65_536;

export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path parameters are written as `{name}`. */
  readonly path: string;
  readonly tag:
    | 'Market'
    | 'History'
    | 'TradingView'
    | 'Signals'
    | 'Publishers'
    | 'News'
    | 'Calendar'
    | 'AI'
    | 'Alerts'
    | 'Account'
    | 'Keys'
    | 'Operator'
    | 'Ingest'
    | 'Streams'
    | 'Replay'
    | 'Service';
  readonly summary: string;
  readonly description: string;
  /**
   * Authentication. `key`: an API key in the `X-API-Key` header, or a session that has the scope. `session`: a signed-in
   * session, no key. `hook`: the secret token in the path. `none`: none.
   */
  readonly auth: 'key' | 'session' | 'hook' | 'none';
  /** Scope required by `auth: 'key'`; `null` for the others. */
  readonly scope: Scope | null;
  /** With `auth: 'key'`: any session of the account may call the endpoint, even if it lacks the scope. */
  readonly anySession?: boolean;
  /** Counts against no limit: a health check. Every other request counts against a key, a session or its address. */
  readonly unlimited?: boolean;
  /** The response sets, renews or removes the session cookie. */
  readonly setsCookie?: boolean;
  readonly query?: z.ZodObject;
  /** Unknown query parameters are ignored and named in a header. On all other endpoints they are an error. */
  readonly ignoresUnknown?: boolean;
  /** Body of a POST, PUT or PATCH: one JSON document. */
  readonly body?: z.ZodType;
  /** Another document that may be sent instead of `body`. */
  readonly otherBody?: z.ZodType;
  /** The body may be left out. */
  readonly bodyOptional?: boolean;
  /** Body of a POST: NDJSON, one JSON document per line. */
  readonly lines?: z.ZodType;
  /** Accepts an Idempotency-Key: a repeated request gets the first response again. */
  readonly idempotent?: boolean;
  /** Supports ETag and If-None-Match. */
  readonly etag?: boolean;
  /** The response has the header Quote-Age if its quote is stale. */
  readonly quoteAge?: boolean;
  /** The response has the headers Stream-Epoch and Stream-Seq. */
  readonly streamPosition?: boolean;
  /** The response can be a file instead: NDJSON, CSV or Parquet, in whole or in part. */
  readonly files?: boolean;
  /** The response has headers with the retention of the tape. */
  readonly tape?: boolean;
  /** HTTP status of a success; 200 by default. */
  readonly status?: 200 | 201;
  /** The response is CSV if the parameter `format` asks for it. */
  readonly csvOption?: boolean;
  /** The response is `text/csv`, and `response` describes the text. */
  readonly csv?: boolean;
  readonly response: z.ZodType;
  /** Body of a 202: the request was accepted and is not completed yet. */
  readonly accepted?: z.ZodType;
  /** The response is NDJSON, streamed: `response` describes one line. */
  readonly lineResponse?: boolean;
  /** The endpoint can be read as of the clock of a replay session. */
  readonly replay?: boolean;
  /** The response is `text/event-stream` and stays open. It counts as a stream, not as a request. */
  readonly eventStream?: boolean;
  /** Errors besides those of any request, and those that follow from authentication, path, query, body and `idempotent`. The table of all checks them. */
  readonly errors?: readonly string[];
}

/** Data that a link may read: what an account sees of the market, not what it owns. */
const LINKED_TAGS: readonly Endpoint['tag'][] = ['Market', 'History', 'Signals', 'Publishers', 'News', 'Calendar'];

/** Whether a data link can be made for an endpoint. */
export const isLinkable = ({ method, auth, scope, tag }: Endpoint): boolean =>
  method === 'GET' && auth === 'key' && scope === 'read' && LINKED_TAGS.includes(tag);

export const endpoint = <const E extends Endpoint>(e: E): E => e;

/** A request that reads with a key of the scope `read`, or with a session. */
export const READ = { method: 'GET', auth: 'key', scope: 'read' } as const;
/** Needs a key of the scope `admin`, or a session that has it. */
export const ADMIN = { auth: 'key', scope: 'admin' } as const;
export const SESSION = { auth: 'session', scope: null } as const;
export const PUBLIC = { auth: 'none', scope: null } as const;

/** One valid example for each endpoint of a table. */
export type EndpointExamples<T extends Readonly<Record<string, Endpoint>>> = {
  readonly [N in keyof T]: {
    /** Path and query of the request. */
    readonly request: string;
    /** Body of an endpoint that takes one document. */
    readonly body?: unknown;
    /** Body of an endpoint that takes lines. */
    readonly lines?: readonly string[];
    readonly response: z.output<T[N]['response']>;
    /** Body of a 202, if the endpoint has one. */
    readonly accepted?: unknown;
  };
};
