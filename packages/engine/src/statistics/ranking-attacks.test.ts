// Ways to look good without skill. Each would pass if the attacked rule did not exist, and none gets a rank.
import { describe, expect, test } from 'bun:test';
import { seededRandom } from '../../testing/random.ts';
import { SignalHistory } from '../../testing/signal-history.ts';
import { TRUSTED } from '../../testing/track-records.ts';
import { asSymbol } from '../market/instrument.ts';
import { asEpochMs, DAY_MS } from '../market/time.ts';
import { rankPublishers } from './ranking.ts';
import { sharedLog } from './track-record.ts';

const SYMBOLS = Array.from({ length: 40 }, (_, i) => asSymbol(`SYM${i}`));
const PUSHED = 'push:pub_friend';

/** A trade a day, so that all time conditions are met. */
const nextDay = (history: SignalHistory): void => {
  history.now += DAY_MS;
};

/** A trial that was hardly won. */
function afterTrial(history = new SignalHistory()): SignalHistory {
  for (let i = 0; i < 30; i++) {
    nextDay(history);
    history.trade(0.1);
  }
  expect(history.evidence().trial).not.toBeNull();
  return history;
}

function standing(history: SignalHistory) {
  const entry = { publisher: 'pub_attacker', evidence: history.evidence(), recentDecisions: 10 };
  return rankPublishers([entry], { now: asEpochMs(history.now), trials: history.shared.trials })[0]!;
}

function expectUnranked(history: SignalHistory): void {
  expect(standing(history)).toMatchObject({ rank: null, status: expect.not.stringMatching('ranked') });
}

describe('attacks', () => {
  test('the yardstick: 100 wins of 1 R, one after the other, are ranked', () => {
    const history = new SignalHistory();
    for (let i = 0; i < 100; i++) {
      nextDay(history);
      history.trade(1);
    }
    expect(standing(history)).toMatchObject({ rank: 1, status: 'ranked' });
  });

  test('tiny wins while the losers stay open', () => {
    const history = new SignalHistory();
    const losers: string[] = [];
    for (let i = 0; i < 400; i++) {
      nextDay(history);
      // One signal in eleven runs into its stop, as in a fair game; here it has no stop in reach and stays open.
      if (i % 11 === 10) losers.push(history.publish({ symbol: SYMBOLS[losers.length]!, direction: 'sell' }));
      else history.trade(0.1);
    }
    expect(history.record.summary()).toMatchObject({ winRate: 1, maxDrawdownR: 0 });
    expect(history.evidence().eValue).toBeGreaterThan(1.1);
    for (const id of losers) history.marks.set(id, -1);
    expect(history.evidence().eValue).toBeLessThan(1);
    expectUnranked(history);
  });

  test('closing the winners first and keeping the losers for later', () => {
    const history = afterTrial();
    const open = SYMBOLS.map((symbol) => history.publish({ symbol }));
    open.forEach((id, i) => {
      history.marks.set(id, i % 2 === 0 ? 1 : -1);
    });
    const before = history.evidence().eValue;
    open.forEach((id, i) => {
      if (i % 2 === 0) history.close(id, 1);
    });
    history.now += 60 * DAY_MS;
    expectUnranked(history);
    open.forEach((id, i) => {
      if (i % 2 === 1) history.close(id, -1);
    });
    expect(before).toBeLessThan(1);
    expect(history.evidence().sumUnits).toBe(30_000);
    expectUnranked(history);
  });

  test('one bet spread over ten instruments that move together', () => {
    const random = seededRandom(9);
    for (let account = 0; account < 20; account++) {
      const history = new SignalHistory();
      for (let i = 0; i < 60; i++) {
        nextDay(history);
        const ids = SYMBOLS.slice(0, 10).map((symbol) => history.publish({ symbol }));
        const r = random() < 0.5 ? 1 : -1;
        for (const id of ids) history.close(id, r);
        expectUnranked(history);
      }
    }
  });

  test('a lottery: rare results far above 10 R', () => {
    const history = new SignalHistory();
    for (let i = 0; i < 200; i++) {
      nextDay(history);
      history.trade(i % 40 === 39 ? 60 : -1);
    }
    expect(history.record.summary().totalR).toBeGreaterThan(100);
    expect(standing(history).status).toBe('losing');
  });

  test('many small wins, and a loss of all of them', () => {
    const history = new SignalHistory();
    for (let i = 0; i < 300; i++) {
      nextDay(history);
      history.trade(0.5);
    }
    expect(standing(history).status).toBe('ranked');
    history.trade(-60);
    expect(history.record.summary().totalR).toBe(90);
    expect(standing(history)).toMatchObject({ status: 'unproven', missing: [{ what: 'e_value', have: 0 }] });
  });

  test('adding signals until the mean of a decision is positive', () => {
    const history = new SignalHistory();
    for (let i = 0; i < 100; i++) {
      nextDay(history);
      const first = history.publish();
      for (let added = 0; added < 10; added++) history.trade(1);
      history.close(first, i % 2 === 0 ? -1 : 1);
    }
    expect(history.record.summary().totalR).toBe(1_000);
    expect(history.evidence()).toMatchObject({ decisions: 100, sumUnits: 0 });
    expectUnranked(history);
  });

  test('choosing among many trades under the umbrella of a pending order', () => {
    const history = new SignalHistory();
    for (let i = 0; i < 60; i++) {
      nextDay(history);
      const umbrella = history.publish({ order: 'limit' });
      for (let hidden = 0; hidden < 5; hidden++) history.trade(1);
      history.close(umbrella, 0, { withdrawn: true });
    }
    expect(history.evidence()).toMatchObject({ decisions: 60, sumUnits: 0, eValue: 1 });
    expectUnranked(history);
    const { warnings } = history.record.marked(history.markOf);
    expect(warnings.map(({ code }) => code)).toContain('withdrawn');
  });

  test('prices of a friend who pushes them', () => {
    const accepted = new SignalHistory();
    const decided = new SignalHistory();
    for (let i = 0; i < 100; i++) {
      for (const history of [accepted, decided]) nextDay(history);
      accepted.trade(1, { sources: { accepted: PUSHED, filled: null, decided: null } });
      decided.trade(1, {}, { sources: { accepted: 'sim', filled: null, decided: PUSHED } });
    }
    expect(accepted.evidence()).toMatchObject({ decisions: 0, eValue: 1 });
    expect(decided.evidence()).toMatchObject({ decisions: 100, sumUnits: -1_000_000 });
    expectUnranked(accepted);
    expectUnranked(decided);
  });

  test('pushing a price into every loser, so that it would be left out as self-sourced', () => {
    const history = new SignalHistory();
    for (let i = 0; i < 100; i++) {
      nextDay(history);
      if (i % 2 === 0) history.trade(1);
      else history.trade(-1, {}, { selfSourced: true });
    }
    expect(history.evidence()).toMatchObject({ decisions: 100, sumUnits: 0 });
    expectUnranked(history);
  });

  test('stopping a fair game at its best moment', () => {
    const random = seededRandom(1);
    let best = 0;
    for (let account = 0; account < 20; account++) {
      const history = new SignalHistory();
      for (let i = 0; i < 300; i++) {
        nextDay(history);
        history.trade(random() < 0.5 ? 1 : -1);
        best = Math.max(best, history.record.summary().probabilisticSharpe ?? 0);
        expectUnranked(history);
      }
    }
    // By the Sharpe ratio, the best of these moments looks certain.
    expect(best).toBeGreaterThan(0.99);
  });

  test('two accounts with the same signals in opposite directions', () => {
    const random = seededRandom(4);
    const PAIRS = 60;
    let ranked = 0;
    for (let pair = 0; pair < PAIRS; pair++) {
      const shared = sharedLog(TRUSTED, false);
      const accounts = [new SignalHistory(shared), new SignalHistory(shared)];
      let isRanked = false;
      for (let i = 0; i < 300 && !isRanked; i++) {
        const sign = random() < 0.5 ? 1 : -1;
        accounts.forEach((history, account) => {
          nextDay(history);
          history.trade(account === 0 ? sign : -sign, { direction: account === 0 ? 'buy' : 'sell' });
        });
        isRanked = accounts.some((history) => standing(history).rank !== null);
      }
      if (isRanked) ranked++;
    }
    // One of the two always wins. It is ranked in 5 % of all pairs at most, and the second to end its trial in 2.5 %.
    expect(ranked / PAIRS).toBeLessThanOrEqual(0.075);
  });

  test('a hundred clones of one lucky record: the first may pass, and each later one has a higher bar', () => {
    const shared = sharedLog(TRUSTED, false);
    const clones = Array.from({ length: 100 }, () => new SignalHistory(shared));
    const together = (r: number): void => {
      for (const clone of clones) {
        nextDay(clone);
        clone.trade(r);
      }
    };
    for (let i = 0; i < 60; i++) together(1);
    const entries = clones.map((clone, i) => ({
      publisher: `pub_${i}`,
      evidence: clone.evidence(),
      recentDecisions: 10,
    }));
    const needs = entries.map(({ evidence }) => evidence.trial!.number);
    expect(needs).toEqual(clones.map((_, i) => i + 1));
    const { eValue } = entries[0]!.evidence;
    const ranking = rankPublishers(entries, { now: asEpochMs(clones[0]!.now), trials: shared.trials });
    expect(ranking.filter(({ rank }) => rank !== null)).toHaveLength(Math.floor(eValue / 20));
    const isWarned = clones.map((clone) =>
      clone.record.marked(clone.markOf).warnings.some(({ code }) => code === 'copied'),
    );
    expect(isWarned).toEqual(clones.map((_, i) => i > 0));
  });

  test('twelve throw-away accounts that lose change nobody’s bar', () => {
    const shared = sharedLog(TRUSTED, false);
    const honest = afterTrial(new SignalHistory(shared));
    const need = () => standing(honest).missing.find(({ what }) => what === 'e_value')!.need;
    expect(need()).toBe(20);
    for (let account = 0; account < 12; account++) {
      const thrown = new SignalHistory(shared);
      for (let i = 0; i < 60; i++) {
        nextDay(thrown);
        thrown.trade(-1);
      }
    }
    expect(need()).toBe(20);
    expect(afterTrial(new SignalHistory(shared)).evidence().trial!.number).toBe(2);
  });
});
