import { describe, expect, test } from 'bun:test';
import { SignalHistory, START } from '../../testing/signal-history.ts';
import { asSymbol } from '../market/instrument.ts';
import { asEpochMs, DAY_MS } from '../market/time.ts';

const GOLD = asSymbol('XAUUSD');
const counted = (history: SignalHistory) => {
  const { decisions, sumUnits } = history.evidence();
  return [decisions, sumUnits / 1e4];
};

describe('decisions', () => {
  test('a later signal on the same symbol and direction joins while the first is active (E1)', () => {
    const history = new SignalHistory();
    const first = history.publish();
    const second = history.publish();
    history.close(second, 3);
    history.close(first, 1);
    // min(1, mean(1, 3)) = 1
    expect(counted(history)).toEqual([1, 1]);
    history.trade(-1);
    expect(counted(history)).toEqual([2, 0]);
  });

  test('another symbol and the other direction are other decisions', () => {
    const history = new SignalHistory();
    const ids = [history.publish(), history.publish({ direction: 'sell' }), history.publish({ symbol: GOLD })];
    for (const id of ids) history.close(id, 1);
    expect(counted(history)).toEqual([3, 3]);
  });

  test('a signal published after the first closed starts a new decision, though others of the old one are open', () => {
    const history = new SignalHistory();
    const first = history.publish();
    const second = history.publish();
    history.close(first, 1);
    const third = history.publish();
    history.close(third, 2);
    expect(counted(history)).toEqual([1, 2]);
    history.close(second, -2);
    // min(1, mean(1, −2)) = −0.5
    expect(counted(history)).toEqual([2, 1.5]);
  });

  test('a pending first signal groups, and has an R of 0 if it never fills (E3)', () => {
    const history = new SignalHistory();
    const umbrella = history.publish({ order: 'limit' });
    for (let i = 0; i < 5; i++) history.trade(2);
    expect(counted(history)).toEqual([0, 0]);
    history.close(umbrella, 0);
    expect(counted(history)).toEqual([1, 0]);
  });

  test('a decision without any result does not count (E2)', () => {
    const history = new SignalHistory();
    history.close(history.publish({ order: 'stop' }), 0);
    history.trade(-1, { sources: { accepted: 'push:pub_other', filled: null, decided: null } });
    history.void(history.publish());
    expect(counted(history)).toEqual([0, 0]);
  });

  test('the mean is rounded toward minus infinity (E3)', () => {
    const history = new SignalHistory();
    const ids = [history.publish(), history.publish(), history.publish()];
    [0.5, -0.3333, -0.3333].forEach((r, index) => {
      history.close(ids[index]!, r);
    });
    // −0.1666 / 3 = −0.05553…
    expect(counted(history)).toEqual([1, -0.0556]);
  });

  test('is placed by its last closing record: a product does not depend on it, the list of months does (E4)', () => {
    const history = new SignalHistory();
    const early = history.publish();
    const late = history.publish({ symbol: GOLD });
    history.close(late, 1);
    history.now += 40 * DAY_MS;
    history.close(early, -1);
    expect(history.record.months(1)).toEqual([
      { month: '2026-03', decisions: 1, r: 1, percent: 1 },
      { month: '2026-04', decisions: 1, r: -1, percent: -1 },
    ]);
    expect(history.evidence().lastCompletedAt).toBe(asEpochMs(history.now));
  });

  test('an incomplete one counts now if it is negative at the marks (E5)', () => {
    const history = new SignalHistory();
    const first = history.publish();
    const second = history.publish();
    history.marks.set(first, 1).set(second, -3);
    // min(1, mean(1, −3)) = −1
    expect(counted(history)).toEqual([1, -1]);
    history.marks.set(second, 3);
    expect(counted(history)).toEqual([0, 0]);
    history.close(first, -0.5);
    expect(counted(history)).toEqual([1, -0.5]);
    history.marks.delete(second);
    expect(counted(history)).toEqual([1, -0.5]);
  });

  test('R above 10 counts as 10 (E6)', () => {
    const history = new SignalHistory();
    history.trade(40);
    expect(counted(history)).toEqual([1, 10]);
  });

  test('a void removes the result and keeps the place', () => {
    const history = new SignalHistory();
    const first = history.publish();
    const second = history.publish();
    history.close(first, -2);
    history.close(second, 1);
    history.trade(1);
    expect(counted(history)).toEqual([2, -1]);
    history.void(first);
    // Without a result the first counts 0: min(0, 1).
    expect(counted(history)).toEqual([2, 1]);
    history.void(second);
    expect(counted(history)).toEqual([1, 1]);
    expect(history.record.voided).toBe(2);
    expect(history.record.summary()).toMatchObject({ rankedSignals: 1, unranked: 2, totalR: 1, maxDrawdownR: 0 });
  });

  test('days are those on which a counted decision began', () => {
    const history = new SignalHistory();
    for (const day of [0, 0, 1, 5]) {
      history.now = START + day * DAY_MS;
      history.trade(1);
    }
    history.now = START + 7 * DAY_MS;
    history.trade(1, { sources: { accepted: 'push:pub_other', filled: null, decided: null } });
    const open = history.publish({ symbol: GOLD });
    expect(history.evidence()).toMatchObject({ days: 3, firstAt: START, lastCompletedAt: START + 5 * DAY_MS });
    history.marks.set(open, -1);
    expect(history.evidence().days).toBe(4);
  });

  test('counts completions since a time, up to a limit', () => {
    const history = new SignalHistory();
    for (let day = 0; day < 20; day++) {
      history.now = START + day * DAY_MS;
      history.trade(1);
    }
    expect(history.record.completedSince(START + 15 * DAY_MS, 10)).toBe(5);
    expect(history.record.completedSince(START, 10)).toBe(10);
  });
});
