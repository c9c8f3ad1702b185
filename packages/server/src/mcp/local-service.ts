// The REST API of this process as the tools see it: the same handlers with the key and the address of the caller, so a call
// counts, is limited and fails exactly as if the caller had sent it.
import type { PeerLookup } from '../access/guard.ts';
import type { Handler, RoutedRequest } from '../http/handler.ts';
import { PathTable } from '../http/path-table.ts';
import type { Service } from './service.ts';

/** Headers of the caller that decide about access and limits. Cookies are left out: sessions cannot use the tools. */
const FORWARDED = ['x-api-key', 'authorization', 'x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'host'];

export class LocalRoutes {
  readonly #routes: PathTable<Handler>;
  readonly #notFound: Handler;

  /** `routes`: handlers by path in the notation of the runtime's router, with `:name` for a parameter. */
  constructor(routes: Readonly<Record<string, Handler>>, notFound: Handler) {
    this.#routes = new PathTable(Object.entries(routes));
    this.#notFound = notFound;
  }

  /** The API as the sender of a request sees it. */
  serviceOf(caller: Request, peers: PeerLookup): Service {
    const { origin } = new URL(caller.url);
    const address = peers.requestIP(caller);
    const ownPeers: PeerLookup = { requestIP: () => address };
    const headers = FORWARDED.flatMap((name) => {
      const value = caller.headers.get(name);
      return value === null ? [] : [[name, value] as const];
    });
    return {
      request: async (path, { method = 'GET', body, headers: own = {} } = {}) => {
        const request: RoutedRequest = new Request(origin + path, {
          method,
          headers: { ...Object.fromEntries(headers), ...own },
          signal: caller.signal,
          ...(body !== undefined && { body }),
        });
        const found = this.#routes.match(new URL(request.url).pathname);
        const { value: handle, params } = found ?? { value: this.#notFound, params: {} };
        return handle(Object.assign(request, { params }), ownPeers);
      },
    };
  }
}
