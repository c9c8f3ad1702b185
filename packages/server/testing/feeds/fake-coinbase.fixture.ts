// Coinbase Exchange's WebSocket feed and REST trades, after docs.cdp.coinbase.com/exchange. `side` is the maker's; REST
// pages are newest first, and `after` means older. Not simulated: the disconnect of a client that has not subscribed
// within five seconds.
import { type FakeClient, type FakeProtocol, isoOf } from './fake-protocol.fixture.ts';
import type { FakeTape, FakeTrade } from './fake-tape.fixture.ts';

const MAX_PAGE = 1_000;

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
    sequence: trade.id * 3,
    time: isoOf(trade.timeUs),
  });

export function fakeCoinbase(listed: readonly string[] = ['BTC-USD', 'ETH-USD']): FakeProtocol {
  return {
    framesPerSecond: 100,
    streamPath: '',
    accepts: (url) => url.pathname === '/',
    greet: () => undefined,
    receive: (client, message, tape) => receive(client, message, tape, listed),
    trades: (client, trades) =>
      trades.flatMap((trade) => (client.subscribed.has(`matches ${trade.symbol}`) ? match('match', trade) : [])),
    quote(client, { symbol, bid, bidSize, ask, askSize, timeUs, updateId }) {
      if (!client.subscribed.has(`ticker ${symbol}`)) return null;
      return JSON.stringify({
        type: 'ticker',
        sequence: updateId,
        product_id: symbol,
        price: bid,
        best_bid: bid,
        best_bid_size: bidSize,
        best_ask: ask,
        best_ask_size: askSize,
        side: 'buy',
        time: isoOf(timeUs),
        trade_id: updateId,
        last_size: '0.1',
      });
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
          sequence: 1,
          time: isoOf(Date.now() * 1e3),
        });
      }),
    rest: (url, tape) => rest(url, tape, listed),
    invalidMessages: (symbol) => [
      JSON.stringify({ type: 'brand_new', product_id: symbol }),
      JSON.stringify({ type: 'match', product_id: symbol, trade_id: '7', price: 5, size: null, side: 'up', time: 0 }),
      JSON.stringify({ type: 'ticker', product_id: symbol, best_bid: '', best_ask: {}, time: 'soon' }),
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
  listed: readonly string[],
): void {
  const common = Array.isArray(message.product_ids) ? message.product_ids.map(String) : [];
  const channels = Array.isArray(message.channels) ? (message.channels as unknown[]) : [];
  const wanted = channels.flatMap((channel) => {
    const { name, product_ids } =
      typeof channel === 'string' ? { name: channel } : (channel as Record<string, unknown>);
    return (Array.isArray(product_ids) ? product_ids.map(String) : common).map((product) => [String(name), product]);
  });
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
  const active = names.map((name) => ({
    name,
    product_ids: [...client.subscribed].filter((one) => one.startsWith(`${name} `)).map((one) => one.split(' ')[1]),
  }));
  client.send(JSON.stringify({ type: 'subscriptions', channels: active }));
  for (const [name, product = ''] of message.type === 'subscribe' ? wanted : []) {
    const last = tape.of(product).at(-1);
    if (name === 'matches' && last) client.send(match('last_match', last));
  }
}

function rest(url: URL, tape: FakeTape, listed: readonly string[]): Response | null {
  if (url.pathname === '/products') return Response.json(listed.map(description));
  if (url.pathname === '/currencies') return Response.json([]);
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
