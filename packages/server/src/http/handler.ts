// The interface of an endpoint handler: its input and its result.
import type { StreamPosition } from '@tickwire/contract';
import type { Caller } from '../access/caller.ts';
import type { Bytes, TaggedResponse } from './conditional-response.ts';
import type { PeerLookup } from './guard.ts';
import type { StreamedResponse } from './streamed-response.ts';

export interface HandlerCall {
  /** Path parameters. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Record<string, unknown>;
  readonly caller: Caller | null;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly request: Request;
  readonly peers: PeerLookup;
}

/** JSON text with a Set-Cookie header, which starts or ends a session. */
export interface CookieResponse {
  readonly body: string;
  readonly cookie: string;
}

/** JSON text with further response headers. */
export interface ResponseWithHeaders {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly position?: StreamPosition | null;
}

/**
 * JSON text that includes everything up to a position in the journal, for `Stream-Epoch` and `Stream-Seq`. The handler takes the
 * position in the same turn of the event loop in which it reads the memory.
 */
export interface PositionedResponse {
  readonly body: string;
  /** `null` if it is not known: the response has no such headers. */
  readonly position: StreamPosition | null;
}

/** JSON text with another status than that of the endpoint. */
export interface ResponseWithStatus {
  readonly body: string;
  readonly status: number;
}

/** A response of any media type, complete but for the headers that all have. */
export interface PreparedResponse {
  readonly prepared: true;
  readonly status: 200 | 206 | 304;
  readonly body: Bytes | ReadableStream<Uint8Array> | null;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * JSON text: plain, with an ETag, with a cookie, with further headers, with its position, with another status; a stream; or a
 * file.
 */
export type HandlerResult =
  | string
  | TaggedResponse
  | CookieResponse
  | ResponseWithHeaders
  | PositionedResponse
  | ResponseWithStatus
  | StreamedResponse
  | PreparedResponse;
export type EndpointHandler = (call: HandlerCall) => HandlerResult | Promise<HandlerResult>;

export interface RoutedRequest extends Request {
  readonly params?: Readonly<Record<string, string>>;
}
/** `caller`: if the request was authenticated before, by a data link. */
export type Handler = (request: RoutedRequest, peers: PeerLookup, caller?: Caller) => Response | Promise<Response>;
