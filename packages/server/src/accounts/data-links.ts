// Data links: `/link/{token}` reads the path of the link, and `/link/{token}/…` of a link to /udf the endpoints below it. The
// handler of that path answers as if the account had sent the request with a key. Parameters of the address are ignored, except
// below /udf: a link to some bars must not read others.
import { DATA_LINK_PATH, UDF_PATH } from '@tickwire/contract';
import type { Caller } from '../access/caller.ts';
import type { Guard, PeerLookup } from '../access/guard.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { Api } from '../http/api.ts';
import type { Handler, RoutedRequest } from '../http/handler.ts';
import { PathTable } from '../http/path-table.ts';
import { notAllowed, READ, READ_METHODS } from '../http/problem.ts';
import { hasBadEscape, isTooLong, malformedPath, pathStart, tooLong } from '../http/request-path.ts';

/** The address is a secret: no other site and no search engine should learn it. */
const SECRECY = { 'Referrer-Policy': 'no-referrer', 'X-Robots-Tag': 'noindex' };

export interface DataLinkOptions {
  readonly api: Api;
  readonly guard: Guard;
  /** Handlers by path, in the notation of the runtime's router. */
  readonly routes: Readonly<Record<string, Handler>>;
  readonly now: () => number;
}

/** Handlers by path. */
export function dataLinkRoutes({ api, guard, routes, now }: DataLinkOptions): Record<string, Handler> {
  const table = new PathTable(Object.entries(routes));

  const read = (request: RoutedRequest, peers: PeerLookup): Response | Promise<Response> => {
    const start = pathStart(request.url);
    if (isTooLong(request.url, start)) throw tooLong();
    if (hasBadEscape(request.url, start, request.url.indexOf('?', start))) throw malformedPath();
    if (!READ_METHODS.split(', ').includes(request.method)) throw notAllowed(request, READ);
    const caller = guard.authenticateLink(request.params!.token!, request, peers, now());
    const { origin, pathname, search } = new URL(request.url);
    const path = targetOf(caller, pathname, search);
    const found = path === null ? null : table.match(path.split('?')[0]!);
    if (!found) throw new ServiceError('not_found', 'The link does not lead to this path.');
    const headers = new Headers(request.headers);
    headers.delete('cookie');
    const { method, signal } = request;
    const asked: RoutedRequest = new Request(origin + path, { method, headers, signal });
    const address = peers.requestIP(request);
    return found.value(Object.assign(asked, { params: found.params }), { requestIP: () => address }, caller);
  };

  const handle: Handler = async (request, peers) => {
    const response = await answer(request, peers);
    for (const [name, value] of Object.entries(SECRECY)) response.headers.set(name, value);
    return response;
  };
  const answer: Handler = (request, peers) => {
    try {
      return request.method === 'OPTIONS' ? api.preflight(request, peers, READ) : read(request, peers);
    } catch (error) {
      return api.refuse(error, request, peers);
    }
  };
  return { [`${DATA_LINK_PATH}:token`]: handle, [`${DATA_LINK_PATH}:token/*`]: handle };
}

/** Path and query that a request through the link reads; `null` if the link does not lead there. */
function targetOf({ path }: Caller, pathname: string, search: string): string | null {
  const below = pathname.slice(DATA_LINK_PATH.length).match(/^[^/]*(\/.*)?$/)?.[1] ?? '';
  if (path === UDF_PATH) return below === '' ? null : UDF_PATH + below + search;
  return below === '' ? path : null;
}
