import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { START } from '../../testing/signal-history.ts';
import { asEpochMs, DAY_MS } from '../market/time.ts';
import type { Evidence } from './decisions.ts';
import { furtherDecisions, type RankingEntry, rankPublishers } from './ranking.ts';
import { Trials } from './trials.ts';

const NOW = asEpochMs(START + 100 * DAY_MS);
const LIVE = { now: NOW, trials: new Trials(false) };
const trial = (number: number) => ({ n: 100, at: asEpochMs(START + 30 * DAY_MS), number });

function entry(publisher: string, eValue: number, over: Partial<Evidence> = {}, recentDecisions = 10): RankingEntry {
  const evidence: Evidence = {
    decisions: 100,
    sumUnits: 100_000,
    eValue,
    maxWealth: 2 * eValue,
    days: 40,
    firstAt: asEpochMs(START),
    lastCompletedAt: asEpochMs(START + 90 * DAY_MS),
    trial: trial(1),
    complete: { decisions: 100, days: 40, sumUnits: 100_000 },
    sinceTrial: 70,
    ...over,
  };
  return { publisher, evidence, recentDecisions };
}

const standings = (entries: readonly RankingEntry[], options = LIVE) =>
  rankPublishers(entries, options).map(({ publisher, rank, status }) => [publisher, rank, status]);
const only = (one: RankingEntry, options = LIVE) => rankPublishers([one], options)[0]!;

describe('the bar', () => {
  test('is 20 times the number of the trial', () => {
    expect(only(entry('a', 20)).status).toBe('ranked');
    expect(only(entry('a', 19.999)).status).toBe('unproven');
    expect(only(entry('a', 99.9, { trial: trial(5) })).missing).toEqual([{ what: 'e_value', have: 99.9, need: 100 }]);
    expect(only(entry('a', 100, { trial: trial(5) })).status).toBe('ranked');
  });

  test('does not depend on other publishers', () => {
    const others = (eValue: number, count: number) => Array.from({ length: count }, (_, i) => entry(`o${i}`, eValue));
    for (const crowd of [others(0.01, 12), others(1e6, 100), others(5, 1_000)]) {
      const ranking = rankPublishers([...crowd, entry('me', 30, { trial: trial(2) })], LIVE);
      const me = ranking.find(({ publisher }) => publisher === 'me')!;
      expect(me.missing).toEqual([{ what: 'e_value', have: 30, need: 40 }]);
    }
  });

  test('is shown during a trial as if it ended now', () => {
    const trials = new Trials(false);
    for (const day of [0, 20, 60]) trials.end(day, asEpochMs(START + day * DAY_MS));
    const { missing } = only(entry('a', 1, { trial: null }), { now: NOW, trials });
    expect(missing).toEqual([{ what: 'e_value', have: 1, need: 60 }]);
  });
});

describe('standing', () => {
  test('orders ranked publishers by e-value, then decisions, then id', () => {
    const all = [entry('d', 900), entry('b', 1000), entry('a', 1000), entry('c', 1000, { decisions: 200 })];
    expect(standings(all)).toEqual([
      ['c', 1, 'ranked'],
      ['a', 2, 'ranked'],
      ['b', 3, 'ranked'],
      ['d', 4, 'ranked'],
    ]);
  });

  test('puts losing publishers last, whatever their evidence', () => {
    const lost = entry('lost', 15, { sumUnits: -1 });
    expect(standings([lost, entry('new', 0.5, { decisions: 9 }), entry('first', 20)])).toEqual([
      ['first', 1, 'ranked'],
      ['new', null, 'unproven'],
      ['lost', null, 'losing'],
    ]);
  });

  test('is unproven during a trial, and names the conditions that are not met', () => {
    const begun = { trial: null, decisions: 30, complete: { decisions: 29, days: 19, sumUnits: 0 } };
    expect(only(entry('a', 1, begun))).toMatchObject({
      rank: null,
      status: 'unproven',
      reason: 'The trial has 29 complete decisions; at least 30 are needed.',
      missing: [
        { what: 'decisions', have: 29, need: 30 },
        { what: 'days', have: 19, need: 20 },
        { what: 'sum_r', have: 0, need: 0 },
        { what: 'e_value', have: 1, need: 20 },
      ],
    });
    const losing = { ...begun, complete: { decisions: 30, days: 20, sumUnits: -12_345 } };
    expect(only(entry('a', 1, losing)).reason).toBe(
      'The decisions add up to -1.23 R for the rank; the trial ends above 0.',
    );
  });

  test('is unproven if later voids leave too few decisions or days, or with too few weeks', () => {
    expect(only(entry('a', 1e6, { decisions: 29 })).missing).toEqual([{ what: 'decisions', have: 29, need: 30 }]);
    expect(only(entry('a', 1e6, { days: 19 })).missing).toEqual([{ what: 'days', have: 19, need: 20 }]);
    const lastCompletedAt = asEpochMs(START + 56 * DAY_MS - 1);
    expect(only(entry('a', 1e6, { lastCompletedAt })).missing).toEqual([{ what: 'span_days', have: 55, need: 56 }]);
    expect(only(entry('a', 1e6, { lastCompletedAt: asEpochMs(START + 56 * DAY_MS) })).status).toBe('ranked');
  });

  test('waives days and weeks, but not decisions, in simulated markets', () => {
    const quick = { days: 1, lastCompletedAt: asEpochMs(START + 1) };
    const simulated = { now: NOW, trials: new Trials(true) };
    expect(only(entry('a', 1e6, quick), simulated).status).toBe('ranked');
    expect(only(entry('a', 1e6, { ...quick, decisions: 29 }), simulated).status).toBe('unproven');
  });

  test('is losing from 10 decisions with a negative sum on', () => {
    expect(only(entry('a', 0.1, { decisions: 10, sumUnits: -1 })).status).toBe('losing');
    expect(only(entry('a', 0.1, { decisions: 9, sumUnits: -1 })).status).toBe('unproven');
    expect(only(entry('a', 0.1, { decisions: 10, sumUnits: 0 })).status).toBe('unproven');
    expect(only(entry('a', 0.1, { sumUnits: -123_400 })).reason).toBe(
      'The 100 decisions add up to a loss of 12.34 R for the rank.',
    );
  });

  test('is inactive after a year with fewer than 10 decisions in the last one, even if it passes', () => {
    const firstAt = asEpochMs(NOW - 365 * DAY_MS - 1);
    expect(only(entry('a', 1e6, { firstAt }, 9))).toMatchObject({
      rank: null,
      status: 'inactive',
      missing: [{ what: 'recent_decisions', have: 9, need: 10 }],
    });
    expect(only(entry('a', 1e6, { firstAt }, 10)).status).toBe('ranked');
    expect(only(entry('a', 1e6, { firstAt: asEpochMs(firstAt + 1) }, 9)).status).toBe('ranked');
    expect(only(entry('a', 0.1, { firstAt, sumUnits: -1 }, 0)).status).toBe('inactive');
  });

  test('does not depend on the order of the input, and has a rank exactly if it is ranked', () => {
    const some = fc.array(
      fc.record({ eValue: fc.constantFrom(0, 1, 30, 60, 100, 1e4), number: fc.integer({ min: 0, max: 6 }) }),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(some, (all) => {
        const entries = all.map(({ eValue, number }, i) =>
          entry(`p${i}`, number === 0 ? 1 : eValue, { trial: number === 0 ? null : trial(number) }),
        );
        const ranking = rankPublishers(entries, LIVE);
        expect(rankPublishers(entries.toReversed(), LIVE)).toEqual(ranking);
        const ranked = ranking.filter(({ status }) => status === 'ranked').length;
        expect(ranking.map(({ rank }) => rank)).toEqual(ranking.map((_, i) => (i < ranked ? i + 1 : null)));
        for (const { status, missing } of ranking) expect(missing.length === 0).toBe(status === 'ranked');
      }),
    );
  });
});

describe('further decisions', () => {
  const further = (eValue: number, maxWealth: number, over: Partial<Evidence> = {}) =>
    furtherDecisions(entry('a', eValue, { maxWealth, ...over }).evidence);

  test('are n · ln(20 i / e) / ln(w), rounded up', () => {
    // 70 · ln(4) / ln(10) = 42.1…, and 70 · ln(8) / ln(10) = 63.2….
    expect([further(5, 10), further(5, 10, { trial: trial(2) })]).toEqual([43, 64]);
  });

  test('are unknown during the trial, before 30 decisions, without a gain, above 2,000, and with a rank', () => {
    expect(further(1, 10, { trial: null })).toBeNull();
    expect([further(5, 10, { sinceTrial: 29 }), further(5, 10, { sinceTrial: 30 })]).toEqual([null, 19]);
    expect([further(0.5, 1), further(0, 0)]).toEqual([null, null]);
    expect([further(0.9, 1.11), further(0.9, 1.12)]).toEqual([null, 1_916]);
    expect([further(20, 30), further(25, 30)]).toEqual([null, null]);
  });
});
