import { describe, expect, test } from 'bun:test';
import { SignalHistory } from '../../testing/signal-history.ts';
import { TRUSTED } from '../../testing/track-records.ts';
import { asSymbol } from '../market/instrument.ts';
import { MINUTE_MS } from '../market/time.ts';
import type { RankingSignal } from './ranking-signal.ts';
import { sharedLog } from './track-record.ts';

const GOLD = asSymbol('XAUUSD');
const codes = (history: SignalHistory) => history.record.marked(history.markOf).warnings.map(({ code }) => code);

/** Two symbols, held for an hour. */
function trades(count: number, over: Partial<RankingSignal> = {}, closing: Partial<RankingSignal> = {}, minutes = 60) {
  const history = new SignalHistory();
  for (let i = 0; i < count; i++) {
    const id = history.publish(i === 0 ? { ...over, symbol: GOLD } : over);
    history.now += minutes * MINUTE_MS;
    history.close(id, 1, closing);
  }
  return history;
}

describe('warnings', () => {
  test('none for an ordinary record', () => {
    expect(codes(trades(20))).toEqual([]);
    expect(codes(new SignalHistory())).toEqual([]);
  });

  test('far stops: most signals risk more than three times their reward', () => {
    expect(codes(trades(5, { plannedRisk: 301, plannedReward: 100 }))).toEqual(['far_stops']);
    expect(codes(trades(5, { plannedRisk: 300, plannedReward: 100 }))).toEqual([]);
    const half = trades(5, { plannedRisk: 301, plannedReward: 100 });
    for (let i = 0; i < 5; i++) half.publish();
    expect(codes(half)).toEqual([]);
  });

  test('closed by hand: more than half of at least 10 filled signals', () => {
    expect(codes(trades(10, {}, { reason: 'manual' }))).toEqual(['closed_by_hand']);
    expect(codes(trades(9, {}, { reason: 'manual' }))).toEqual([]);
  });

  test('withdrawn: more than half of at least 10 pending orders', () => {
    expect(codes(trades(10, { order: 'limit' }, { withdrawn: true }))).toEqual(['withdrawn']);
    const half = trades(10, { order: 'limit' }, { withdrawn: true });
    for (let i = 0; i < 10; i++) half.publish({ order: 'stop' });
    expect(codes(half)).toEqual([]);
  });

  test('short holding: most of at least 10 filled signals closed within a minute', () => {
    expect(codes(trades(10, {}, {}, 0.99))).toEqual(['short_holding']);
    expect(codes(trades(10, {}, {}, 1))).toEqual([]);
  });

  test('one symbol: at least 10 signals', () => {
    const history = new SignalHistory();
    for (let i = 0; i < 9; i++) history.publish();
    expect(codes(history)).toEqual([]);
    history.publish();
    expect(codes(history)).toEqual(['one_symbol']);
  });

  test('untrusted prices: a single signal, counted once', () => {
    const accepted = { sources: { accepted: 'push:pub_x', filled: null, decided: null } };
    const history = trades(1, accepted);
    expect(history.record.marked(() => null).warnings).toEqual([
      { code: 'untrusted_prices', text: 'Prices from untrusted sources decided 1 signal.' },
    ]);
    const closing = trades(1, {}, { sources: { accepted: 'sim', filled: null, decided: 'push:pub_x' } });
    expect(codes(closing)).toEqual(['untrusted_prices']);
  });

  test('many open: more than 20 signals, or more than 10 R of open losses', () => {
    const history = new SignalHistory();
    const ids = Array.from({ length: 20 }, (_, i) => history.publish(i < 9 ? {} : { symbol: GOLD }));
    history.publish({ order: 'limit', symbol: GOLD });
    expect(codes(history)).toEqual([]);
    history.marks.set(ids[0]!, -10).set(ids[1]!, 50);
    expect(codes(history)).toEqual([]);
    history.marks.set(ids[2]!, -0.01);
    expect(codes(history)).toEqual(['many_open']);
    history.marks.clear();
    history.publish();
    expect(codes(history)).toEqual(['many_open']);
  });

  test('copied: most of at least 10 signals repeat one that another publisher had just published', () => {
    const both = (minutes: number, over: Partial<RankingSignal>, count = 10) => {
      const shared = sharedLog(TRUSTED, false);
      const [first, second] = [new SignalHistory(shared), new SignalHistory(shared)];
      for (let i = 0; i < count; i++) {
        first.now += 60 * MINUTE_MS;
        first.trade(1, i === 0 ? { symbol: GOLD } : {});
        second.now = first.now + minutes * MINUTE_MS;
        second.trade(1, { ...(i === 0 && { symbol: GOLD }), ...over });
      }
      return [codes(first), codes(second)].map((all) => all.includes('copied'));
    };
    expect(both(10, {})).toEqual([false, true]);
    // A tenth of the risk of the earlier signal, which is 100.
    expect(both(1, { plannedRisk: 110, plannedReward: 190 })).toEqual([false, true]);
    expect(both(1, { plannedRisk: 111 })).toEqual([false, false]);
    expect(both(1, { plannedReward: 189 })).toEqual([false, false]);
    expect(both(10.01, {})).toEqual([false, false]);
    expect(both(1, { direction: 'sell' })).toEqual([false, false]);
    expect(both(1, {}, 9)).toEqual([false, false]);
  });
});
