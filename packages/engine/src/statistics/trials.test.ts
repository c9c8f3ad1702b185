import { describe, expect, test } from 'bun:test';
import { SignalHistory, START } from '../../testing/signal-history.ts';
import { TRUSTED } from '../../testing/track-records.ts';
import { asSymbol } from '../market/instrument.ts';
import { asEpochMs, DAY_MS } from '../market/time.ts';
import { sharedLog } from './track-record.ts';

const GOLD = asSymbol('XAUUSD');
const trialOf = (history: SignalHistory) => history.evidence().trial;

/** A decision a day, until the trial needs one more. */
function almost(history = new SignalHistory(), r = 1): SignalHistory {
  for (let i = 0; i < 29; i++) {
    history.now += DAY_MS;
    history.trade(r);
  }
  expect(trialOf(history)).toBeNull();
  history.now += DAY_MS;
  return history;
}

describe('a trial', () => {
  test('ends with the thirtieth complete decision, and evidence starts there', () => {
    const history = almost();
    const open = history.publish({ symbol: GOLD });
    history.trade(1);
    expect(trialOf(history)).toMatchObject({ at: history.now, number: 1 });
    // What began before it is not staked.
    history.close(open, 1);
    expect(history.evidence()).toMatchObject({ decisions: 31, sinceTrial: 0, eValue: 1 });
    history.trade(1);
    expect(history.evidence().sinceTrial).toBe(1);
    expect(history.evidence().eValue).toBeCloseTo(1.11, 12);
  });

  test('goes on while a loss is only open: complete decisions count', () => {
    const history = almost();
    const open = history.publish();
    history.marks.set(open, -1);
    expect(history.evidence()).toMatchObject({ decisions: 30, trial: null, complete: { decisions: 29 } });
    history.close(open, -1);
    expect(trialOf(history)).not.toBeNull();
  });

  test('needs 20 days, unless markets are simulated', () => {
    for (const [simulated, days, ends] of [
      [false, 19, false],
      [false, 20, true],
      [true, 1, true],
    ] as const) {
      const history = new SignalHistory(sharedLog(TRUSTED, simulated));
      for (let i = 0; i < 40; i++) {
        history.now = START + (i % days) * DAY_MS;
        history.trade(1);
      }
      expect(trialOf(history) !== null).toBe(ends);
    }
  });

  test('needs a sum of R above 0, in which a decision counts at most 10 R', () => {
    const history = almost(new SignalHistory(), -1);
    history.trade(1_000);
    expect(history.evidence()).toMatchObject({ trial: null, complete: { decisions: 30, sumUnits: -190_000 } });
    history.trade(10);
    history.trade(9);
    expect(trialOf(history)).toBeNull();
    history.trade(0.0001);
    expect(trialOf(history)).not.toBeNull();
  });

  test('does not end with a void, but with the next closing record, even one that completes no decision', () => {
    const history = almost(new SignalHistory(), 0);
    const [loss, first, second] = [history.publish({ symbol: GOLD }), history.publish(), history.publish()];
    history.close(loss, -1);
    history.trade(0.5, { direction: 'sell' });
    history.now += DAY_MS;
    history.void(loss);
    expect(history.evidence()).toMatchObject({ trial: null, complete: { decisions: 30, sumUnits: 5_000 } });
    history.now += DAY_MS;
    history.close(second, 1);
    expect(trialOf(history)).toMatchObject({ at: history.now });
    history.close(first, 1);
  });

  test('ends with a void of an active signal, which is a closing record', () => {
    const history = almost();
    const [first, second] = [history.publish(), history.publish()];
    history.close(first, 1);
    expect(trialOf(history)).toBeNull();
    history.void(second);
    expect(trialOf(history)).not.toBeNull();
  });

  test('stays ended whatever is voided later, and the evidence is counted again', () => {
    const history = almost();
    const last = history.publish();
    history.close(last, 1);
    const trial = trialOf(history);
    const win = history.publish();
    history.close(win, 2);
    history.trade(1);
    for (const id of [last, win]) history.void(id);
    expect(history.evidence()).toMatchObject({ trial, decisions: 30, sinceTrial: 1, complete: { decisions: 30 } });
    expect(history.evidence().eValue).toBeCloseTo(1.11, 12);
  });
});

describe('the number of a trial', () => {
  test('is 1 + the trials that ended in the 90 days before, by the time of the record', () => {
    const { trials } = sharedLog(TRUSTED, false);
    const numbers = [0, 0, 30, 89, 90, 91, 121, 500].map(
      (day, n) => trials.end(n, asEpochMs(START + day * DAY_MS)).number,
    );
    expect(numbers).toEqual([1, 2, 3, 4, 5, 4, 4, 1]);
    expect(trials.numberAt(asEpochMs(START + 590 * DAY_MS))).toBe(2);
    expect(trials.numberAt(asEpochMs(START + 590 * DAY_MS + 1))).toBe(1);
  });

  test('is not changed by accounts that lose or give up', () => {
    const shared = sharedLog(TRUSTED, false);
    for (let account = 0; account < 12; account++) almost(new SignalHistory(shared), -1).trade(-1);
    for (let account = 0; account < 100; account++) almost(new SignalHistory(shared));
    const honest = almost(new SignalHistory(shared));
    honest.trade(1);
    expect(trialOf(honest)!.number).toBe(1);
  });
});
