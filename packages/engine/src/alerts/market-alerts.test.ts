import { expect, test } from 'bun:test';
import { AlertCondition } from '@tickwire/contract';
import { CATALOGUE } from '../market/catalogue.ts';
import { asSymbol } from '../market/instrument.ts';
import { asEpochMs, MINUTE_MS } from '../market/time.ts';
import { nextSessionChange } from '../market/trading-hours.ts';
import type { AlertSpec, Firing } from './alert.ts';
import { AlertBook } from './alert-book.ts';

const EURUSD = asSymbol('EURUSD');
const { hours } = CATALOGUE.find(({ symbol }) => symbol === EURUSD)!;
/** A Friday at noon. */
const START = Date.UTC(2026, 2, 6, 12);
const CLOSING = nextSessionChange(hours, asEpochMs(START));
const OPENING = nextSessionChange(hours, CLOSING);

const spec = (state: 'opens' | 'closes', rest: Partial<AlertSpec> = {}): AlertSpec => ({
  id: state,
  symbol: EURUSD,
  condition: AlertCondition.parse({ type: 'market', state }),
  repeat: 'every_time',
  interval: null,
  cooldownMs: 0,
  expiresAt: null,
  sinceSeq: 0,
  sinceTime: asEpochMs(START),
  state: null,
  ...rest,
});

/** Clock events, each with the position of its number. */
function judge(specs: readonly AlertSpec[], clocks: readonly number[]): Firing[] {
  const fired: Firing[] = [];
  const book = new AlertBook({ instruments: CATALOGUE, onFire: (firing) => fired.push(firing) });
  for (const each of specs) book.add(each);
  for (const [at, time] of clocks.entries()) book.read(at + 1, { kind: 'clock', time: asEpochMs(time) });
  return fired;
}

test('fires when the market closes and when it opens, at that time', () => {
  const fired = judge([spec('opens'), spec('closes')], [START, CLOSING - 1, CLOSING, OPENING - 1, OPENING + 500]);
  expect(fired.map(({ alert, cause, seq, time, price }) => ({ alert, cause, seq, time, price }))).toEqual([
    { alert: 'closes', cause: `market:closes:${CLOSING}`, seq: 3, time: CLOSING, price: null },
    { alert: 'opens', cause: `market:opens:${OPENING}`, seq: 5, time: OPENING, price: null },
  ]);
});

test('one step of the clock over the weekend is a closing and an opening', () => {
  const fired = judge([spec('opens'), spec('closes')], [START, OPENING + MINUTE_MS]);
  expect(fired.map(({ cause }) => cause).sort()).toEqual([`market:closes:${CLOSING}`, `market:opens:${OPENING}`]);
});

test('a market that is open when the clock starts does not open', () => {
  expect(judge([spec('opens')], [START, START + MINUTE_MS])).toEqual([]);
});

test('a closing before the alert was set does not fire it', () => {
  expect(judge([spec('closes', { sinceTime: asEpochMs(CLOSING + 1) })], [START, CLOSING + MINUTE_MS])).toEqual([]);
});
