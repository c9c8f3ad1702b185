// The interface of an endpoint handler: its input, its result, and how a domain registers it.
import type { EndpointName, StreamPosition } from '@tickwire/contract';
import type { Caller } from '../access/caller.ts';
import type { PeerLookup } from '../access/guard.ts';
import type { Bytes } from './conditional-response.ts';
import type { BodyStream } from './streamed-response.ts';

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

/** The response of an endpoint, but for the headers that all have. */
export interface ApiResponse {
  /** JSON text, or the content of another media type that `headers` name. */
  readonly body: string | Bytes | BodyStream | ReadableStream<Uint8Array> | null;
  /** Default: that of the endpoint. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Everything up to this position in the journal is included, for `Stream-Epoch` and `Stream-Seq`. The handler takes the position
   * in the same turn of the event loop in which it reads the memory. `null` or absent: the response has no such headers.
   */
  readonly position?: StreamPosition | null;
  /** The ETag without quotes: letters, digits and dashes. A client that has this version gets a 304. */
  readonly tag?: string | undefined;
  /** The body in gzip, if compression is worth it. Only with a tag. */
  readonly gzip?: () => Bytes;
}

/** A text is the body of a response without anything else. */
export type HandlerResult = string | ApiResponse;
export type EndpointHandler = (call: HandlerCall) => HandlerResult | Promise<HandlerResult>;

/** A handler that runs on the ingest node of a cluster; `null` if that is another process, which the request is forwarded to. */
export interface WriterRoute {
  readonly writer: EndpointHandler | null;
}

/** How much a request reads, estimated before the work. */
export interface ReadCost {
  /** Stored rows, or what takes as long to compute. */
  readonly rows: number;
  /** Another limit counts them, that of rows in files per day. */
  readonly counted: boolean;
}
/** A handler whose work depends on the request. Long work is shared fairly between accounts (read-work.ts). */
export interface CostlyRoute {
  readonly cost: (call: HandlerCall) => ReadCost;
  readonly handle: EndpointHandler;
}
export type Route = EndpointHandler | WriterRoute | CostlyRoute;
/** The handlers of a domain, by endpoint. */
export type Routes = Readonly<Partial<Record<EndpointName, Route>>>;

/** Routes of handlers that need a part of the pipeline. */
export function writerRoutes<Writer, Name extends EndpointName>(
  writer: Writer | null,
  handlers: Readonly<Record<Name, (writer: Writer, call: HandlerCall) => HandlerResult | Promise<HandlerResult>>>,
): Readonly<Record<Name, WriterRoute>> {
  const entries = Object.entries(handlers) as [Name, (typeof handlers)[Name]][];
  return Object.fromEntries(
    entries.map(([name, handle]) => [name, { writer: writer && ((call: HandlerCall) => handle(writer, call)) }]),
  ) as Record<Name, WriterRoute>;
}

export interface RoutedRequest extends Request {
  readonly params?: Readonly<Record<string, string>>;
}
/** `caller`: if the request was authenticated before, by a data link. */
export type Handler = (request: RoutedRequest, peers: PeerLookup, caller?: Caller) => Response | Promise<Response>;

/** The name under which a module registers the handler of all paths that match nothing else. */
export const OTHER_PATHS = '*';
