// The state of markets, from calendars and quotes, and finding symbols.

import { describe, expect, test } from 'bun:test';
import { iso } from '@tickwire/contract';
import { HOUR_MS, MINUTE_MS } from '@tickwire/engine';
import { Instruments, search } from './instruments.ts';
import { ServiceReader } from './service.ts';

const NOW = Date.UTC(2026, 10, 14, 12);

const instrument = (symbol: string, name: string, sessions: readonly (readonly [number, number])[] | null) => ({
  symbol,
  name,
  type: 'forex' as const,
  pip_size: 0.0001,
  contract_size: 100_000,
  margin_rate: 0.03,
  min_lot: 0.01,
  max_lot: 100,
  digits: 5,
  base: symbol.slice(0, 3),
  quote: symbol.slice(3),
  hours: {
    calendar: sessions ? 'forex' : 'always',
    timezone: 'UTC',
    sessions: (sessions ?? []).map(([open, close]) => ({ open: iso(open), close: iso(close) })),
  },
});

const CLOSED = instrument('EURUSD', 'Euro / US Dollar', [[NOW + HOUR_MS, NOW + 9 * HOUR_MS]]);
const OPEN = instrument('USDJPY', 'US Dollar / Japanese Yen', [[NOW - HOUR_MS, NOW + HOUR_MS]]);
const ALWAYS = instrument('BTCUSD', 'Bitcoin / US Dollar', null);

/** A service whose newest quotes have these ages. */
function instrumentsWith(ages: Readonly<Record<string, readonly [ageMs: number, stale: boolean]>>): Instruments {
  const bodies: Readonly<Record<string, unknown>> = {
    '/api/symbols': { items: [CLOSED, OPEN, ALWAYS] },
    '/api/quotes': {
      items: Object.entries(ages).map(([symbol, [age, stale]]) => ({
        ...{ symbol, bid: 1, ask: 1.1, spread: 0.1, stale },
        timestamp: iso(NOW - age),
      })),
    },
  };
  const request = async (path: string) => Response.json(bodies[path.split('?')[0]!]);
  return new Instruments(new ServiceReader({ request }, () => NOW));
}

const freshnessOf = async (ages: Parameters<typeof instrumentsWith>[0]) => {
  const instruments = instrumentsWith(ages);
  return (await instruments.freshness(await instruments.resolve(Object.keys(ages)))).envelope;
};

describe('the state of a market', () => {
  test('closed until its next session, with a quote that is old but not stale', async () => {
    const fresh = await freshnessOf({ EURUSD: [30 * HOUR_MS, false] });
    expect(fresh.market).toEqual({ EURUSD: { state: 'closed', until: '2026-11-14T13:00Z' } });
    expect(fresh).toMatchObject({ age_ms: 30 * HOUR_MS, stale: false, as_of: iso(NOW - 30 * HOUR_MS) });
  });

  test('open until the end of its session, or for good', async () => {
    const { market } = await freshnessOf({ USDJPY: [MINUTE_MS, false], BTCUSD: [1, false] });
    expect(market).toEqual({
      USDJPY: { state: 'open', until: '2026-11-14T13:00Z' },
      BTCUSD: { state: 'open', until: null },
    });
  });

  test('open outside its hours while quotes come, as pushed ones may', async () => {
    expect((await freshnessOf({ EURUSD: [500, false] })).market.EURUSD!.state).toBe('open');
    expect((await freshnessOf({ EURUSD: [500, true] })).market.EURUSD!.state).toBe('closed');
  });

  test('the oldest quote decides the age, and one stale quote makes the answer stale', async () => {
    const fresh = await freshnessOf({ USDJPY: [5_000, false], BTCUSD: [90_000, true] });
    expect(fresh).toMatchObject({ age_ms: 90_000, stale: true });
  });
});

describe('finding instruments', () => {
  const all = [CLOSED, OPEN, ALWAYS];
  test.each([
    ['yen', ['USDJPY']],
    ['JPY', ['USDJPY']],
    ['bitcoin', ['BTCUSD']],
    ['usd dollar euro', ['EURUSD']],
    ['EURJPY', ['EURUSD', 'USDJPY']],
    ['zloty', []],
    ['', ['EURUSD', 'USDJPY', 'BTCUSD']],
  ])('%p finds %j', (query, symbols) => {
    expect(search(all, query).map(({ symbol }) => symbol)).toEqual([...symbols]);
  });

  test('a symbol may be written with a slash or in lower case, and counts once', async () => {
    const found = await instrumentsWith({}).resolve(['eur/usd', 'EURUSD', ' usdjpy ']);
    expect(found.map(({ symbol }) => symbol)).toEqual(['EURUSD', 'USDJPY']);
  });
});

test('the clock of the service counts if the two differ', async () => {
  const request = async () => Response.json({}, { headers: { Date: new Date(NOW + HOUR_MS).toUTCString() } });
  const reader = new ServiceReader({ request }, () => NOW);
  await reader.get('/healthz');
  expect(reader.now).toBe(NOW + HOUR_MS);
});
