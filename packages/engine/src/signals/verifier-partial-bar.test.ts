// A partial minute bar: the prices it reaches are certain, the times are not.
import { expect, test } from 'bun:test';
import type { Bar } from '../market/events.ts';
import { asSymbol, type InstrumentSpec } from '../market/instrument.ts';
import { asEpochMs } from '../market/time.ts';
import { NO_PROGRESS, type Order, type Progress } from './order.ts';
import type { ClosedVerdict, Verdict } from './verdict.ts';
import { Verifier } from './verifier.ts';

const EURUSD = asSymbol('EURUSD');
const NOON = Date.UTC(2026, 2, 4, 12);
const spec: InstrumentSpec = {
  symbol: EURUSD,
  name: 'Euro',
  type: 'forex',
  pipSize: 0.01,
  digits: 2,
  contractSize: 1,
  marginRate: 1,
  minLot: 1,
  maxLot: 1,
  hours: 'always',
};
/** 70 seconds before noon. */
const accepted = {
  kind: 'quote',
  seq: 1,
  time: asEpochMs(NOON - 70_000),
  bid: 1.5,
  ask: 1.51,
  source: 'oanda',
} as const;
const buy: Order = {
  id: 'sig',
  symbol: EURUSD,
  direction: 'buy',
  kind: 'market',
  entry: 151,
  maxSlippage: null,
  stopLoss: 140,
  targets: [{ price: 170, fraction: 10_000 }],
  breakevenAfter: null,
  accepted,
  publishedAt: accepted.time,
  entryDeadline: asEpochMs(NOON + 86_400_000),
  deadline: asEpochMs(NOON + 86_400_000),
};
const filled: Progress = { ...NO_PROGRESS, fill: { price: 151, at: accepted.time, evidence: accepted } };

const whole = (price: number) => ({ fraction: 10_000, price });

function judged(
  prices: Pick<Bar, 'high' | 'low' | 'close'>,
  partial: boolean,
  order = buy,
  progress = filled,
): Verdict[] {
  const verifier = new Verifier([spec]);
  verifier.seedQuote(EURUSD, accepted);
  verifier.add(order, progress);
  const verdicts: Verdict[] = [];
  const bar: Bar = {
    time: asEpochMs(NOON),
    open: 1.5,
    ...prices,
    volume: 1,
    bidVolume: 0,
    askVolume: 0,
    basis: 'bid',
    ...(partial && { partial }),
  };
  verifier.read({ firstSeq: 2, source: 'oanda', events: [{ kind: 'minute', symbol: EURUSD, bar }] }, verdicts);
  return verdicts;
}

test('a partial bar does not close a signal at the target, as a complete bar does', () => {
  const up = { high: 1.71, low: 1.49, close: 1.6 };
  expect(judged(up, false)).toMatchObject([{ kind: 'closed', reason: 'take_profit' }]);
  expect(judged(up, true)).toEqual([]);
});

test('a partial bar closes a signal at the stop, at the end of the minute, and reports the best possible exit', () => {
  const down = { high: 1.51, low: 1.39, close: 1.45 };
  const [complete, partial] = [false, true].map((each) => judged(down, each)[0] as ClosedVerdict);
  expect(complete).toMatchObject({ reason: 'stop_loss', exits: [whole(140)], bestExits: null });
  expect(partial).toMatchObject({
    reason: 'stop_loss',
    exits: [whole(140)],
    bestExits: [whole(145)],
    closedAt: NOON + 60_000,
  });
  expect(partial!.decided).toEqual(complete!.decided);
});

test('a partial bar fills a pending limit', () => {
  const limit: Order = { ...buy, kind: 'limit', entry: 145 };
  const verdicts = judged({ high: 1.51, low: 1.43, close: 1.44 }, true, limit, NO_PROGRESS);
  expect(verdicts).toMatchObject([{ kind: 'filled', fill: { price: 145, at: NOON + 60_000 } }]);
});
