// A service that checks every request against the contract and answers with the contract's examples, over a real socket.
import {
  ENDPOINTS,
  type Endpoint,
  type EndpointName,
  ERRORS,
  type ErrorCode,
  type Problem,
  RESPONSE_EXAMPLES,
} from '@tickwire/contract';

export interface ContractService extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly { readonly name: EndpointName; readonly path: string; readonly body: unknown }[];
  /** Refuses the next requests with this error. */
  refuse(code: ErrorCode | null): void;
}

export function contractService(key: string): ContractService {
  const requests: { name: EndpointName; path: string; body: unknown }[] = [];
  let refused: ErrorCode | null = null;
  const problem = (code: ErrorCode): Response => {
    const { title, status = 500, when } = ERRORS[code];
    const body: Problem = { type: `/docs#error-${code}`, title, status, detail: when, code, request_id: 'req_1' };
    return Response.json(body, { status });
  };
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname, search, searchParams } = new URL(request.url);
      if (request.headers.get('X-API-Key') !== key) return problem('invalid_key');
      const name = endpointAt(request.method, pathname);
      if (name === null) return problem('not_found');
      const { body: schema, query, idempotent, status = 200 }: Endpoint = ENDPOINTS[name];
      const body: unknown = request.body ? await request.json() : undefined;
      const strict = query?.strict().safeParse(Object.fromEntries(searchParams));
      if (strict?.success === false) return problem('invalid_parameter');
      if (schema && !schema.safeParse(body).success) return problem('invalid_parameter');
      if (idempotent && !request.headers.has('Idempotency-Key')) return problem('invalid_parameter');
      if (refused) return problem(refused);
      requests.push({ name, path: pathname + search, body });
      return Response.json(RESPONSE_EXAMPLES[name], { status });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    requests,
    refuse: (code) => {
      refused = code;
    },
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

/** An endpoint without a path parameter comes before one with. */
function endpointAt(method: string, pathname: string): EndpointName | null {
  const found = (Object.keys(ENDPOINTS) as EndpointName[]).filter((name) => {
    const { method: own, path }: Endpoint = ENDPOINTS[name];
    return own === method && new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(pathname);
  });
  return found.find((name) => ENDPOINTS[name].path === pathname) ?? found[0] ?? null;
}
