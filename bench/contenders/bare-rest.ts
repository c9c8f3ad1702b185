// Lower bound for REST: a Bun.serve that checks nothing and returns prepared bytes with as many headers as Tickwire.
import { readFileSync } from 'node:fs';
import type { RestSpec } from '../scenarios/rest-spec.ts';

const { quote, history } = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as RestSpec;

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  routes: {
    '/api/market/:symbol/quote': () => new Response(quote.body, { headers: quote.headers }),
    '/api/market/:symbol': () => new Response(history.body, { headers: history.headers }),
  },
  fetch: () => new Response(null, { status: 404 }),
});
console.log(`serving at http://127.0.0.1:${server.port}`);
