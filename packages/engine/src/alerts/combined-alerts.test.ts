import { expect, test } from 'bun:test';
import { AlertCondition } from '@tickwire/contract';
import { CATALOGUE } from '../market/catalogue.ts';
import { asSymbol } from '../market/instrument.ts';
import { asEpochMs } from '../market/time.ts';
import type { AlertSpec } from './alert.ts';
import { AlertBook } from './alert-book.ts';

const EURUSD = asSymbol('EURUSD');
const START = Date.UTC(2026, 2, 2, 10);

const spec = (...of: unknown[]): AlertSpec => ({
  id: 'a',
  symbol: EURUSD,
  condition: AlertCondition.parse({ type: 'all', of }),
  repeat: 'every_time',
  interval: null,
  cooldownMs: 0,
  expiresAt: null,
  sinceSeq: 0,
  sinceTime: asEpochMs(START),
  state: null,
});

/** A book with one alert, and the positions of the quotes that fired it. */
class OneAlert {
  readonly fired: (number | null)[] = [];
  readonly book = new AlertBook({ instruments: CATALOGUE, onFire: ({ seq }) => this.fired.push(seq) });
  #seq = 0;

  constructor(alert: AlertSpec) {
    this.book.seed(EURUSD, { bid: 1.1, ask: 1.1001, time: asEpochMs(START) });
    this.book.add(alert);
  }

  quote(bid: number, ask = bid + 0.0001): void {
    const time = asEpochMs(START + ++this.#seq * 1_000);
    this.book.read(this.#seq, { kind: 'tick', symbol: EURUSD, time, bid, ask, bidSize: 0, askSize: 0, volume: 1 });
  }
}

const crossing = { type: 'price', cross: 'above', level: 1.1005 };

test('a crossing is not looked at while a state does not hold', () => {
  const one = new OneAlert(spec(crossing, { type: 'price', is: 'above', level: 1.2, side: 'ask' }));
  for (let n = 0; n < 50; n++) one.quote(n % 2 === 0 ? 1.101 : 1.1);
  expect(one.fired).toEqual([]);
  expect(one.book.looked).toBe(0);
});

test('fires if the crossing and the last state come with the same quote, and not if the price was beyond before', () => {
  const wide = { type: 'price', is: 'above', level: 1.102, side: 'ask' };
  const together = new OneAlert(spec(crossing, wide));
  together.quote(1.1004);
  together.quote(1.101, 1.103);
  expect(together.fired).toEqual([2]);
  const beyond = new OneAlert(spec(crossing, wide));
  beyond.quote(1.101);
  beyond.quote(1.101, 1.103);
  beyond.quote(1.1, 1.103);
  beyond.quote(1.101, 1.103);
  expect(beyond.fired).toEqual([4]);
});

test('a headline sees the newest quote, though no level was reached', () => {
  const one = new OneAlert(spec({ type: 'headline' }, { type: 'price', is: 'above', level: 1.1005 }));
  const headline = (id: string): void =>
    one.book.read(100, {
      ...{ kind: 'headline', id, time: asEpochMs(START + 60_000), title: 'News' },
      ...{ category: 'macro', sentiment: 'neutral', sentiments: new Map([[EURUSD, 'neutral']]) },
    } as never);
  one.quote(1.1001);
  headline('before');
  expect(one.fired).toEqual([]);
  one.quote(1.101);
  headline('after');
  expect(one.fired).toEqual([100]);
});
