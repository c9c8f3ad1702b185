// The same endpoints on Fastify, carefully written: verified keys are cached, a ring buffer counts the rolling minute, the headers
// are the same, responses are serialised by a schema, and history comes from an indexed SQLite table through a prepared
// statement in the fastest row format of better-sqlite3.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const spec = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const require = createRequire(import.meta.url);
const fastify = require(spec.fastify)();
const WINDOW_MS = 60_000;

const sha256 = (text) => createHash('sha256').update(text).digest('hex');
const accounts = new Map(
  spec.keys.map((key) => [sha256(key), { times: new Float64Array(spec.limit), next: 0, used: 0, oldest: 0 }]),
);
const verified = new Map();

function accountOf(key) {
  const known = verified.get(key);
  if (known) return known;
  const account = accounts.get(sha256(key));
  if (account) verified.set(key, account);
  return account;
}

/** Counts the request. `oldest` advances with time, so that the remaining allowance is known without a search. */
function take(account, now) {
  const { times } = account;
  while (account.used > 0 && times[account.oldest] <= now - WINDOW_MS) {
    account.oldest = (account.oldest + 1) % times.length;
    account.used--;
  }
  if (account.used === times.length) return false;
  times[account.next] = now;
  account.next = (account.next + 1) % times.length;
  account.used++;
  return true;
}

let requests = 0;
fastify.addHook('onRequest', (request, reply, done) => {
  const key = request.headers['x-api-key'];
  const account = key === undefined ? undefined : accountOf(key);
  if (!account) {
    reply.code(401).send({ code: 'invalid_key' });
    return;
  }
  const now = performance.now() + 1;
  const allowed = take(account, now);
  const remaining = spec.limit - account.used;
  const reset = Math.ceil((account.times[account.oldest] + WINDOW_MS - now) / 1000);
  reply.headers({
    'RateLimit-Policy': `"minute";q=${spec.limit};w=60`,
    RateLimit: `"minute";r=${remaining};t=${reset}`,
    'X-RateLimit-Limit': `${spec.limit}`,
    'X-RateLimit-Remaining': `${remaining}`,
    'X-RateLimit-Reset': `${Math.floor(Date.now() / 1000) + reset}`,
    'X-Request-Id': `bench-${(++requests).toString(36)}`,
    'API-Version': spec.quote.headers['api-version'] ?? '1',
    'Data-Source': 'simulated',
    'Cache-Control': 'no-store',
  });
  if (allowed) done();
  else reply.code(429).send({ code: 'rate_limited' });
});

const price = { type: 'number' };
const text = { type: 'string' };
const quoteFields = { bid: price, ask: price, spread: price, timestamp: text };
const bar = {
  type: 'object',
  properties: { time: text, open: price, high: price, low: price, close: price, volume: price },
};
const response = (properties) => ({ schema: { response: { 200: { type: 'object', properties } } } });

const { symbol, ...quote } = JSON.parse(spec.quote.body);
const quotes = new Map([[symbol, { symbol, ...quote }]]);
fastify.get('/api/market/:symbol/quote', response({ symbol: text, ...quoteFields }), (request, reply) => {
  const found = quotes.get(request.params.symbol);
  reply.send(found);
});

if (spec.sqlite) {
  const newest = openBars(require(spec.sqlite));
  const schema = response({
    symbol: text,
    timeframe: text,
    ohlcv: { type: 'array', items: bar },
    quote: { type: 'object', properties: quoteFields },
  });
  fastify.get('/api/market/:symbol', schema, (request, reply) => {
    const { timeframe, bars } = request.query;
    const rows = newest.all(request.params.symbol, timeframe, Number(bars));
    const ohlcv = new Array(rows.length);
    for (let index = 0; index < rows.length; index++) {
      const [time, open, high, low, close, volume] = rows[rows.length - 1 - index];
      ohlcv[index] = { time: new Date(time).toISOString(), open, high, low, close, volume };
    }
    reply.send({ symbol: request.params.symbol, timeframe, ohlcv, quote });
  });
}

/** Inserts the sample bars for 30 symbols in six timeframes, so that the query has to use the index. */
function openBars(Database) {
  const database = new Database(spec.databaseFile);
  database.pragma('journal_mode = WAL');
  database.exec(`CREATE TABLE bars (symbol TEXT, timeframe TEXT, time INTEGER, open REAL, high REAL, low REAL, close REAL,
    volume REAL, PRIMARY KEY (symbol, timeframe, time)) WITHOUT ROWID`);
  const insert = database.prepare('INSERT INTO bars VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  const { ohlcv } = JSON.parse(spec.history.body);
  const symbols = [symbol, ...Array.from({ length: 29 }, (_, index) => `OTHER${index}`)];
  database.transaction(() => {
    for (const name of symbols)
      for (const timeframe of ['1m', '5m', '15m', '1h', '4h', '1d'])
        for (const { time, open, high, low, close, volume } of ohlcv)
          insert.run(name, timeframe, Date.parse(time), open, high, low, close, volume);
  })();
  return database
    .prepare(
      'SELECT time, open, high, low, close, volume FROM bars WHERE symbol = ? AND timeframe = ? ORDER BY time DESC LIMIT ?',
    )
    .raw();
}

console.log(`serving at ${await fastify.listen({ port: 0, host: '127.0.0.1' })}`);
