// Lower bounds for REST: a Bun.serve that returns prepared bytes with as many headers as Tickwire. With `checked` it also looks up the
// key, counts the request, and sends an id and the allowance that is left: what any server with keys and limits has to do.
import { readFileSync } from 'node:fs';
import type { RestSpec, SampleResponse } from '../scenarios/rest-spec.ts';

const { quote, history, keys, limit } = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as RestSpec;
const isChecked = process.argv[3] === 'checked';

interface Account {
  readonly headers: Headers;
  remaining: number;
}

let requests = 0;

function checked({ body, headers: common }: SampleResponse): (request: Request) => Response {
  const accounts = new Map<string, Account>(
    keys.map((key) => [key, { headers: new Headers(common), remaining: limit }]),
  );
  return (request) => {
    const account = accounts.get(request.headers.get('x-api-key') ?? '');
    if (!account) return new Response(null, { status: 401 });
    const { headers } = account;
    if (--account.remaining < 0) account.remaining = limit;
    headers.set('X-Request-Id', `bare-${(++requests).toString(36)}`);
    headers.set('RateLimit', `"minute";r=${account.remaining};t=60`);
    headers.set('X-RateLimit-Remaining', `${account.remaining}`);
    return new Response(body, { headers });
  };
}

const constant =
  ({ body, headers }: SampleResponse) =>
  (): Response =>
    new Response(body, { headers });

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  routes: {
    '/api/market/:symbol/quote': isChecked ? checked(quote) : constant(quote),
    '/api/market/:symbol': isChecked ? checked(history) : constant(history),
  },
  fetch: () => new Response(null, { status: 404 }),
});
console.log(`serving at http://127.0.0.1:${server.port}`);
