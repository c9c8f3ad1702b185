// `/mcp`: the tools over streamable HTTP. Stateless: each POST is served on its own, so any gateway can answer it and there are
// no sessions to bound. The key comes in the same header as for REST; a session cookie is not accepted, and a request from a
// page of another origin is rejected (DNS rebinding).
import { MAX_DOCUMENT_BYTES } from '@tickwire/contract';
import type { Caller } from '../access/caller.ts';
import type { Guard, PeerLookup } from '../access/guard.ts';
import { invalidParameter, ServiceError } from '../errors/service-error.ts';
import type { Api } from '../http/api.ts';
import { decodeUtf8, readRequestBody } from '../http/body.ts';
import type { Handler } from '../http/handler.ts';
import { notAllowed } from '../http/problem.ts';
import type { ReadWork } from '../http/read-work.ts';
import type { Log } from '../ops/log.ts';
import type { LocalRoutes } from './local-service.ts';

export interface McpEndpointOptions {
  readonly api: Api;
  readonly guard: Guard;
  readonly reads: ReadWork;
  readonly routes: LocalRoutes;
  /** Origin of the configured public address; `null` if none is configured. */
  readonly publicOrigin: string | null;
  readonly now: () => number;
  readonly stopping: () => boolean;
  readonly log: Log;
}

const ALLOWED = 'POST, OPTIONS';
const BODY_TIMEOUT_MS = 10_000;
/** The last version of the protocol whose clients do not name theirs in a header. */
const WITHOUT_HEADER = '2025-03-26';
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

export function mcpEndpoint(options: McpEndpointOptions): Handler {
  const { api, guard, reads, routes, now, stopping, log } = options;

  const serve = async (request: Request, peers: PeerLookup, caller: Caller): Promise<Response> => {
    await guard.countRequest(caller, now());
    const text = decodeUtf8(await readRequestBody(request, MAX_DOCUMENT_BYTES, BODY_TIMEOUT_MS));
    if (text.trimStart().startsWith('['))
      return invalidRequest('Batches are not supported. Send one message per request.');
    // Loaded with the first request: most services get none.
    const [{ createMcpHandler }, { createMcpServer, TOOL_PREFIX }] = await Promise.all([
      import('@modelcontextprotocol/server'),
      import('./mcp-server.ts'),
    ]);
    const prefix = new URL(request.url).searchParams.get('prefix') ?? '';
    if (prefix !== '' && !TOOL_PREFIX.test(prefix))
      throw invalidParameter(
        'prefix',
        prefix,
        'up to 32 lower-case letters, digits and _, starting with a letter, such as tickwire_',
      );
    const service = routes.serviceOf(request, peers);
    const protocolVersion = request.headers.get('mcp-protocol-version') ?? WITHOUT_HEADER;
    const handler = createMcpHandler(
      () => createMcpServer({ service, scopes: caller.scopes, prefix, now, protocolVersion }),
      {
        // Lists of tools, resources and prompts never change, so there is nothing to subscribe to.
        maxSubscriptions: 0,
        onerror: (error) => log.debug('MCP request rejected', { error }),
      },
    );
    const { method, headers, signal } = request;
    // Answers are made of many rows, in turns with the work of other accounts.
    const answer = () => handler.fetch(new Request(request.url, { method, headers, signal, body: text }));
    const response = await reads.share(caller.account.publicId, signal, answer);
    response.headers.set('Cache-Control', 'no-store');
    response.headers.set('X-Content-Type-Options', 'nosniff');
    return response;
  };

  return async (request, peers) => {
    try {
      requireOwnOrigin(request, options.publicOrigin);
      if (request.method === 'OPTIONS') {
        guard.countAddress(request, peers, now());
        // Without CORS headers: pages of other origins cannot call it.
        return new Response(null, { status: 204, headers: { Allow: ALLOWED } });
      }
      if (request.method !== 'POST') throw notAllowed(request, ALLOWED);
      if (stopping())
        throw new ServiceError('shutting_down', 'The service is stopping. Try again soon.', { retryAfterSeconds: 2 });
      if (!guard.hasKey(request)) throw new ServiceError('missing_key', 'Send your API key in the X-API-Key header.');
      const caller = guard.authenticate(request, peers, now());
      guard.requireScope(caller, 'read');
      return await serve(request, peers, caller).catch((error) => api.refuse(error, request, null));
    } catch (error) {
      return api.refuse(error, request, peers);
    }
  };
}

/**
 * A page whose name was made to resolve to this service has the same host in `Origin` and `Host`, so that comparing them
 * proves nothing. Only the configured address and the names of this machine count. Programs send no `Origin`.
 */
function requireOwnOrigin({ headers }: Request, publicOrigin: string | null): void {
  const origin = headers.get('origin');
  if (origin === null || origin === publicOrigin) return;
  const url = URL.parse(origin);
  if (url && LOOPBACK.has(url.hostname) && url.host === headers.get('host')) return;
  throw new ServiceError(
    'foreign_origin',
    'The request does not come from a page of this service. Set public_url if a browser uses another address.',
  );
}

const invalidRequest = (message: string): Response =>
  Response.json({ jsonrpc: '2.0', id: null, error: { code: -32_600, message } }, { status: 400 });
