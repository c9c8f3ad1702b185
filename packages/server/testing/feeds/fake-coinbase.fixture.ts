// Coinbase Exchange's WebSocket feed and REST trades, after docs.cdp.coinbase.com/exchange. `side` is the maker's; REST
// pages are newest first, and `after` means older. `level2_batch` starts with a snapshot of the whole book; its changes have
// absolute sizes and no sequence. level2, level3 and full need an account. Not simulated: the disconnect of a client that has
// not subscribed within five seconds.
import { candlesOf } from './fake-candles.fixture.ts';
import { type FakeClient, type FakeProtocol, isoOf } from './fake-protocol.fixture.ts';
import type { FakeQuote, FakeTape, FakeTrade } from './fake-tape.fixture.ts';

const MAX_PAGE = 1_000;
const MAX_CANDLES = 300;

const NEEDS_ACCOUNT = ['level2', 'level3', 'full', 'user'];
/** The name by which the list of subscriptions calls a channel. */
const LISTED_AS: Readonly<Record<string, string>> = { level2_batch: 'level2_50' };
/** The venue's sequence of a product rises with every order; here with trades, three at a time. */
const SEQUENCE_STEP = 3;

const makerOf = (trade: FakeTrade): string => (trade.taker === 'buy' ? 'sell' : 'buy');

const match = (type: string, trade: FakeTrade, price: unknown = trade.price): string =>
  JSON.stringify({
    type,
    trade_id: trade.id,
    maker_order_id: 'ac928c66-ca53-498f-9c13-a110027a60e8',
    taker_order_id: '132fb6ae-456b-4654-b4e0-d681ac05cea1',
    side: makerOf(trade),
    size: trade.size,
    price,
    product_id: trade.symbol,
    sequence: trade.id * SEQUENCE_STEP,
    time: isoOf(trade.timeUs),
  });

/** The books of all products: four levels on each side, all of which change with the best quote. */
class FakeBooks {
  readonly #levels = new Map<string, { buy: Map<string, string>; sell: Map<string, string> }>();
  #last: { readonly updateId: number; readonly frame: string } | null = null;

  snapshot(product_id: string): string {
    const { buy, sell } = this.#of(product_id);
    const [bids, asks] = [[...buy], [...sell]];
    bids.sort(([a], [b]) => Number(b) - Number(a));
    asks.sort(([a], [b]) => Number(a) - Number(b));
    return JSON.stringify({ type: 'snapshot', product_id, bids, asks });
  }

  /** Called once per client for the same quote. */
  update({ symbol, bid, bidSize, ask, askSize, timeUs, updateId }: FakeQuote): string {
    if (this.#last?.updateId === updateId) return this.#last.frame;
    const levels = this.#of(symbol);
    const changes: [string, string, string][] = [];
    const set = (side: 'buy' | 'sell', price: string, size: string): void => {
      changes.push([side, price, size]);
      if (Number(size) === 0) levels[side].delete(price);
      else levels[side].set(price, size);
    };
    for (const side of ['buy', 'sell'] as const)
      for (const price of [...levels[side].keys()]) set(side, price, '0.00000000');
    set('buy', bid, bidSize);
    set('sell', ask, askSize);
    for (const step of [1, 2, 5]) {
      set('buy', (Number(bid) - step).toFixed(2), '3.00000000');
      set('sell', (Number(ask) + step).toFixed(2), '3.00000000');
    }
    const frame = JSON.stringify({ type: 'l2update', product_id: symbol, changes, time: isoOf(timeUs) });
    this.#last = { updateId, frame };
    return frame;
  }

  #of(product: string) {
    const levels = this.#levels.get(product) ?? { buy: new Map<string, string>(), sell: new Map<string, string>() };
    this.#levels.set(product, levels);
    return levels;
  }
}

export function fakeCoinbase(listed: readonly string[] = ['BTC-USD', 'ETH-USD']): FakeProtocol {
  const books = new FakeBooks();
  return {
    framesPerSecond: 100,
    streamPath: '',
    accepts: (url) => url.pathname === '/',
    greet: () => undefined,
    receive: (client, message, tape) => receive(client, message, tape, books, listed),
    trades: (client, trades) =>
      trades.flatMap((trade) => (client.subscribed.has(`matches ${trade.symbol}`) ? match('match', trade) : [])),
    quote: (client, quote) => {
      const frame = books.update(quote);
      return client.subscribed.has(`level2_batch ${quote.symbol}`) ? frame : null;
    },
    heartbeats: (client, tape) =>
      [...client.subscribed].flatMap((name) => {
        const [channel, product_id = ''] = name.split(' ');
        if (channel !== 'heartbeat') return [];
        const last_trade_id = tape.of(product_id).at(-1)?.id ?? 0;
        return JSON.stringify({
          type: 'heartbeat',
          last_trade_id,
          product_id,
          sequence: last_trade_id * SEQUENCE_STEP,
          time: isoOf(Date.now() * 1e3),
        });
      }),
    rest: (url, tape) => rest(url, tape, listed),
    invalidMessages: (symbol) => [
      JSON.stringify({ type: 'brand_new', product_id: symbol }),
      JSON.stringify({ type: 'match', product_id: symbol, trade_id: '7', price: 5, size: null, side: 'up', time: 0 }),
      JSON.stringify({ type: 'snapshot', product_id: 'NO-SUCH', bids: [], asks: [] }),
      JSON.stringify({ type: 'match', product_id: 'NO-SUCH' }),
      JSON.stringify({ type: 17 }),
    ],
    malformedTrade: (_client, trade) => match('match', trade, null),
  };
}

function receive(
  client: FakeClient,
  message: Record<string, unknown>,
  tape: FakeTape,
  books: FakeBooks,
  listed: readonly string[],
): void {
  const common = Array.isArray(message.product_ids) ? message.product_ids.map(String) : [];
  const channels = Array.isArray(message.channels) ? (message.channels as unknown[]) : [];
  const wanted = channels.flatMap((channel) => {
    const { name, product_ids } =
      typeof channel === 'string' ? { name: channel } : (channel as Record<string, unknown>);
    return (Array.isArray(product_ids) ? product_ids.map(String) : common).map((product) => [String(name), product]);
  });
  if (wanted.some(([name = '']) => NEEDS_ACCOUNT.includes(name))) {
    const reason = 'level2, level3, and full channels now require authentication.';
    client.send(JSON.stringify({ type: 'error', message: 'Failed to subscribe', reason }));
    return;
  }
  const unknown = wanted.find(([, product = '']) => !listed.includes(product))?.[1];
  if (unknown) {
    const reason = `${unknown} is not a valid product`;
    client.send(JSON.stringify({ type: 'error', message: 'Failed to subscribe', reason }));
    return;
  }
  for (const [name, product = ''] of wanted) {
    if (message.type === 'unsubscribe') client.subscribed.delete(`${name} ${product}`);
    else client.subscribed.add(`${name} ${product}`);
  }
  const names = [...new Set([...client.subscribed].map((one) => one.split(' ')[0]))];
  const active = names.map((name = '') => ({
    name: LISTED_AS[name] ?? name,
    product_ids: [...client.subscribed].filter((one) => one.startsWith(`${name} `)).map((one) => one.split(' ')[1]),
  }));
  client.send(JSON.stringify({ type: 'subscriptions', channels: active }));
  for (const [name, product = ''] of message.type === 'subscribe' ? wanted : []) {
    const last = tape.of(product).at(-1);
    if (name === 'matches' && last) client.send(match('last_match', last));
    if (name === 'level2_batch') client.send(books.snapshot(product));
  }
}

function rest(url: URL, tape: FakeTape, listed: readonly string[]): Response | null {
  if (url.pathname === '/products') return Response.json(listed.map(description));
  if (url.pathname === '/currencies') return Response.json([]);
  const candles = /^\/products\/([^/]+)\/candles$/.exec(url.pathname)?.[1];
  if (candles !== undefined) return candleRows(candles, url.searchParams, tape);
  const product = /^\/products\/([^/]+)\/trades$/.exec(url.pathname)?.[1];
  if (product === undefined) return null;
  if (!listed.includes(product)) return Response.json({ message: 'NotFound' }, { status: 404 });
  const limit = Math.min(Number(url.searchParams.get('limit') ?? MAX_PAGE), MAX_PAGE);
  const older = Number(url.searchParams.get('after') ?? Number.MAX_SAFE_INTEGER);
  const page = tape
    .of(product)
    .filter((trade) => trade.id < older)
    .slice(-limit)
    .reverse();
  const rows = page.map((trade) => ({
    trade_id: trade.id,
    side: makerOf(trade),
    size: trade.size,
    price: trade.price,
    time: isoOf(trade.timeUs),
  }));
  return Response.json(rows, { headers: { 'CB-AFTER': String(page.at(-1)?.id ?? '') } });
}

const description = (id: string) => ({
  id,
  base_currency: id.split('-')[0],
  quote_currency: id.split('-')[1],
  quote_increment: '0.01',
  base_increment: '0.00000001',
  display_name: id,
  min_market_funds: '1',
  status: 'online',
  trading_disabled: false,
});

/** Newest first; intervals without trades have no row. */
function candleRows(product: string, query: URLSearchParams, tape: FakeTape): Response {
  const length = Number(query.get('granularity')) * 1_000;
  const [start, end] = [Date.parse(query.get('start') ?? ''), Date.parse(query.get('end') ?? '')];
  if ((end - start) / length >= MAX_CANDLES) {
    const message = 'granularity too small for the requested time range. Count of aggregations requested exceeds 300';
    return Response.json({ message }, { status: 400 });
  }
  const rows = candlesOf(tape, product, length, start, end).map(({ time, open, high, low, close, volume }) =>
    [time / 1_000, low, high, open, close, volume].map(Number),
  );
  return Response.json(rows.reverse());
}
