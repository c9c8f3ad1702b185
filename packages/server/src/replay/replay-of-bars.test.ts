// A replay of a past that was never recorded: minutes of simulated markets, played from their bars.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type BarsPage, iso, type OhlcvBar, type ReplaySession } from '@tickwire/contract';
import { HOUR_MS, MINUTE_MS } from '@tickwire/engine';
import { TestPublisher } from '../../testing/publisher.fixture.ts';
import { type RunningService, startService } from '../../testing/service.fixture.ts';

/** A Wednesday. */
const FROM = Date.UTC(2026, 2, 4, 12);
const SYMBOLS = ['EURUSD', 'BTCUSD'];

let service: RunningService;
let user: TestPublisher;
let id: string;
beforeAll(async () => {
  service = await startService({ sim_rate: '20' });
  user = await TestPublisher.of(service);
  const body = JSON.stringify({ symbols: SYMBOLS, from: iso(FROM), to: iso(FROM + 4 * HOUR_MS) });
  const session = (await (await user.post('/api/replays', body)).json()) as ReplaySession;
  expect(session.sources.map(({ source }) => source)).toEqual(['bars', 'bars']);
  id = session.id;
});
afterAll(() => service.stop());

const change = async (given: object): Promise<ReplaySession> => {
  const response = await fetch(`${service.url}/api/replays/${id}`, {
    method: 'PATCH',
    headers: { 'X-API-Key': user.issued.key },
    body: JSON.stringify(given),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as ReplaySession;
};
const barsOf = async (symbol: string, interval: string, query: string): Promise<OhlcvBar[]> =>
  (await user.read<BarsPage>(`/api/bars/${symbol}?interval=${interval}&limit=1000&${query}`)).items;

test('closed bars are those of the present, of any length, wherever the clock was before', async () => {
  const clock = FROM + 2 * HOUR_MS + 3 * MINUTE_MS;
  for (const seek of [clock, clock - 40 * MINUTE_MS]) {
    await change({ seek: iso(seek) });
    while ((await change({ step: 'bar' })).clock < iso(clock));
    for (const symbol of SYMBOLS)
      for (const interval of ['1m', '5m', '1h']) {
        const range = `from=${iso(FROM - 24 * HOUR_MS)}`;
        const present = await barsOf(symbol, interval, `${range}&to=${iso(clock)}`);
        const length = { '1m': 1, '5m': 5, '1h': 60 }[interval]! * MINUTE_MS;
        const replayed = await barsOf(symbol, interval, `${range}&replay=${id}`);
        const isClosed = ({ time }: OhlcvBar): boolean => Date.parse(time) + length <= clock;
        expect(replayed.filter(isClosed)).toEqual(present.filter(isClosed));
        expect(present.length).toBeGreaterThan(20);
      }
  }
});

test('a minute is played as its open, low, high and close, and no trade is invented', async () => {
  const start = FROM + HOUR_MS;
  for (const symbol of SYMBOLS) {
    const [bar] = await barsOf(symbol, '1m', `from=${iso(start)}&to=${iso(start + MINUTE_MS)}`);
    const { open, high, low, close } = bar!;
    const expected = close < open ? [open, high, low, close] : [open, low, high, close];
    const bids: number[] = [];
    for (const after of [0, 15_000, 45_000, MINUTE_MS - 1]) {
      await change({ seek: iso(start + after) });
      const quote = await user.read<{ bid: number; timestamp: string }>(`/api/market/${symbol}/quote?replay=${id}`);
      expect(quote.timestamp).toBe(iso(start + after));
      bids.push(quote.bid);
    }
    expect(bids).toEqual(expected);
    const trades = await user.read<{ items: unknown[] }>(`/api/ticks/${symbol}?kind=trades&replay=${id}`);
    expect(trades.items).toEqual([]);
  }
});
