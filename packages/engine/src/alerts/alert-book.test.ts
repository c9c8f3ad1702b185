import { expect, test } from 'bun:test';
import { AlertCondition } from '@tickwire/contract';
import { CATALOGUE } from '../market/catalogue.ts';
import { asSymbol } from '../market/instrument.ts';
import { asEpochMs } from '../market/time.ts';
import type { AlertSpec } from './alert.ts';
import { AlertBook } from './alert-book.ts';
import { checkCondition } from './check-condition.ts';
import { titleOf } from './title.ts';

const EURUSD = asSymbol('EURUSD');
const instrument = CATALOGUE.find(({ symbol }) => symbol === EURUSD)!;
const START = Date.UTC(2026, 2, 2, 10);

const spec = (id: string, level: number): AlertSpec => ({
  id,
  symbol: EURUSD,
  condition: AlertCondition.parse({ type: 'price', cross: 'above', level }),
  repeat: 'once',
  interval: null,
  cooldownMs: 0,
  expiresAt: null,
  sinceSeq: 0,
  sinceTime: asEpochMs(START),
  state: null,
});

/** Levels that a thousand ticks look at, with a number of alerts out of reach and ten in reach. */
function lookedAt(alerts: number): { looked: number; fired: number } {
  let fired = 0;
  const onFire = (): void => {
    fired++;
  };
  const book = new AlertBook({ instruments: CATALOGUE, onFire });
  book.seed(EURUSD, { bid: 1.1, ask: 1.1001, time: asEpochMs(START) });
  for (let n = 0; n < 10; n++) book.add(spec(`near${n}`, 1.1 + n / 10_000));
  for (let n = 0; n < alerts; n++) book.add(spec(`far${n}`, 1.2 + n / 1_000_000));
  for (let at = 1; at <= 1_000; at++) {
    const bid = 1.1 + (at % 20) / 10_000;
    const time = asEpochMs(START + at * 1_000);
    book.read(at, { kind: 'tick', symbol: EURUSD, time, bid, ask: bid + 0.0001, bidSize: 0, askSize: 0, volume: 1 });
  }
  return { looked: book.looked, fired };
}

test('a tick looks only at the levels it reaches, however many alerts there are', () => {
  const few = lookedAt(100);
  expect(few.fired).toBe(10);
  expect(lookedAt(20_000)).toEqual(few);
});

const check = (condition: unknown, symbol = true, hasTrades = true) =>
  checkCondition(AlertCondition.parse(condition), symbol ? instrument : null, hasTrades);

test('says why a condition cannot be judged', () => {
  const price = { type: 'price', cross: 'above', level: 1.2 };
  const rsi = { type: 'indicator', indicator: 'rsi(14)', interval: '5m', is: 'above', value: 70 };
  expect(check(price)).toBeNull();
  expect(check(price, false)).toBe('The condition price needs a symbol.');
  expect(check({ type: 'headline' }, false)).toBeNull();
  expect(check({ type: 'all', of: [price, rsi] })).toBeNull();
  expect(check({ type: 'all', of: [price, { type: 'headline' }] })).toContain('At most one');
  expect(check({ ...rsi, indicator: 'rsx(14)' })).toContain('name must be one of');
  expect(check({ ...rsi, indicator: 'macd(12,26,9)' })).toBe(
    'line is needed for macd: its lines are macd, signal, histogram.',
  );
  expect(check({ ...rsi, line: 'signal' })).toBe('rsi has no line signal: its lines are value.');
  expect(check({ type: 'volume', interval: '1m', above: 5 }, true, false)).toBe(
    'The feed of EURUSD has no trades, which the condition volume needs.',
  );
  expect(check({ ...price, side: 'trade' }, true, false)).toContain('has no trades');
});

test('says in one line what happened', () => {
  const title = (
    condition: unknown,
    detail: unknown = null,
    symbol: string | null = 'EURUSD',
    price: number | null = null,
  ) =>
    titleOf(
      {
        alert: 'a',
        cause: '',
        seq: 1,
        time: asEpochMs(START),
        price,
        symbol: symbol as never,
        detail: detail as never,
      },
      AlertCondition.parse(condition),
      instrument,
    );
  const is = { type: 'price', is: 'above', level: 1.1 };
  expect(title({ type: 'price', touch: 'either', level: 1.2 }, { kind: 'crossing', direction: 'below' })).toBe(
    'EURUSD bid touched 1.20000 from above',
  );
  expect(
    title({ type: 'move', percent: 1, direction: 'up', minutes: 5 }, { kind: 'move', direction: 'up' }, 'EURUSD', 1.2),
  ).toBe('EURUSD bid moved up 1 % within 5 minutes to 1.20000');
  expect(title({ type: 'all', of: [is, { type: 'spread', above: 0.001 }] })).toBe(
    'EURUSD bid is above 1.10000 and spread is above 0.001',
  );
  expect(title({ type: 'all', of: [{ type: 'bar_close', interval: '5m', close: 'below', level: 1 }, is] })).toBe(
    'EURUSD 5m bar closed below 1.00000 while bid is above 1.10000',
  );
  expect(title({ type: 'headline' }, { kind: 'headline', title: 'Fed holds' }, null)).toBe('Headline: Fed holds');
  expect(title({ type: 'calendar', minutes: 15 }, { kind: 'calendar', title: 'CPI', at: START + 900_000 })).toBe(
    'EURUSD CPI in 15 minutes',
  );
});

test('asks for the bars that its indicators and trend lines need', () => {
  const book = new AlertBook({ instruments: CATALOGUE, onFire: () => {} });
  const condition = AlertCondition.parse({
    type: 'indicator',
    indicator: 'sma(20)',
    interval: '5m',
    cross: 'above',
    value: 1,
  });
  expect(book.warmUpOf(condition)).toEqual([{ interval: '5m', bars: 20, since: null, forming: false }]);
  const time = '2026-03-02T10:00:00Z';
  const line = { type: 'trend_line', interval: '5m', cross: 'above', time, price: 1, per_bar: 0 };
  const is = { ...condition, cross: undefined, is: 'above' };
  for (const of of [
    [line, is],
    [is, line],
  ])
    expect(book.warmUpOf(AlertCondition.parse({ type: 'all', of }))).toEqual([
      { interval: '5m', bars: 20, since: asEpochMs(Date.parse(time)), forming: false },
    ]);
});
