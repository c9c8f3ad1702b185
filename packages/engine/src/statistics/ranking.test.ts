import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { START } from '../../testing/signal-history.ts';
import { asEpochMs, DAY_MS } from '../market/time.ts';
import type { Evidence } from './decisions.ts';
import { discoveryCount, type RankingEntry, rankPublishers } from './ranking.ts';

const NOW = asEpochMs(START + 100 * DAY_MS);
const LIVE = { now: NOW, simulated: false };

function entry(publisher: string, eValue: number, over: Partial<Evidence> = {}, recentDecisions = 10): RankingEntry {
  const evidence = {
    decisions: 100,
    sumUnits: 100_000,
    eValue,
    days: 40,
    firstAt: asEpochMs(START),
    lastCompletedAt: asEpochMs(START + 90 * DAY_MS),
    ...over,
  };
  return { publisher, evidence, recentDecisions };
}

const standings = (entries: readonly RankingEntry[], options = LIVE) =>
  rankPublishers(entries, options).map(({ publisher, rank, status }) => [publisher, rank, status]);
const only = (one: RankingEntry, options = LIVE) => rankPublishers([one], options)[0]!;

describe('control over all publishers', () => {
  test('alone, needs an e-value of 20', () => {
    expect(discoveryCount([20])).toBe(1);
    expect(discoveryCount([19.999])).toBe(0);
    expect(discoveryCount([])).toBe(0);
  });

  test('takes the greatest k whose k-th e-value is at least 20 m / k', () => {
    // m = 4: 80, 40, 26.67, 20.
    expect(discoveryCount([80, 1, 1, 1])).toBe(1);
    expect(discoveryCount([79, 39, 1, 1])).toBe(0);
    expect(discoveryCount([79, 40, 1, 1])).toBe(2);
    expect(discoveryCount([30, 29, 27, 1])).toBe(3);
    expect(discoveryCount([20, 20, 20, 20])).toBe(4);
  });

  test('counts only publishers with 30 decisions', () => {
    const short = Array.from({ length: 9 }, (_, i) => entry(`s${i}`, 5, { decisions: 29 }));
    expect(standings([entry('a', 25), ...short])[0]).toEqual(['a', 1, 'ranked']);
    const long = short.map((each) => entry(each.publisher, 5, { decisions: 30 }));
    expect(standings([entry('a', 25), ...long])[0]).toEqual(['a', null, 'unproven']);
    expect(standings([entry('a', 200), ...long])[0]).toEqual(['a', 1, 'ranked']);
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

  test('is unproven with too few decisions, days or weeks, and says what is missing', () => {
    expect(only(entry('a', 1e6, { decisions: 29 }))).toMatchObject({
      rank: null,
      status: 'unproven',
      reason: 'There are 29 decisions; at least 30 are needed.',
      missing: [{ what: 'decisions', have: 29, need: 30 }],
    });
    expect(only(entry('a', 1e6, { days: 19 })).missing).toEqual([{ what: 'days', have: 19, need: 20 }]);
    const lastCompletedAt = asEpochMs(START + 56 * DAY_MS - 1);
    expect(only(entry('a', 1e6, { lastCompletedAt })).missing).toEqual([{ what: 'span_days', have: 55, need: 56 }]);
    expect(only(entry('a', 1e6, { lastCompletedAt: asEpochMs(START + 56 * DAY_MS) })).status).toBe('ranked');
  });

  test('waives days and weeks, but not decisions, in simulated markets', () => {
    const quick = { days: 1, lastCompletedAt: asEpochMs(START + 1) };
    const simulated = { now: NOW, simulated: true };
    expect(only(entry('a', 1e6, quick), simulated).status).toBe('ranked');
    expect(only(entry('a', 1e6, { ...quick, decisions: 29 }), simulated).status).toBe('unproven');
  });

  test('names the e-value that suffices if the other publishers stay as they are', () => {
    const others = [entry('x', 100), ...Array.from({ length: 3 }, (_, i) => entry(`o${i}`, 1))];
    const lacking = rankPublishers([...others, entry('me', 30)], LIVE).find(({ publisher }) => publisher === 'me')!;
    // m = 5, one discovery: 20 · 5 / 2.
    expect(lacking.missing).toEqual([{ what: 'e_value', have: 30, need: 50 }]);
    expect(lacking.reason).toContain('the e-value is 30 and 50 is needed');
    const enough = rankPublishers([...others, entry('me', 50)], LIVE).find(({ publisher }) => publisher === 'me')!;
    expect(enough.status).toBe('ranked');
  });

  test('is losing from 10 decisions with a negative sum on', () => {
    expect(only(entry('a', 0.1, { decisions: 10, sumUnits: -1 })).status).toBe('losing');
    expect(only(entry('a', 0.1, { decisions: 9, sumUnits: -1 })).status).toBe('unproven');
    expect(only(entry('a', 0.1, { decisions: 10, sumUnits: 0 })).status).toBe('unproven');
    expect(only(entry('a', 0.1, { sumUnits: -123_400 })).reason).toBe('The 100 decisions add up to a loss of 12.34 R.');
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

  test('has no evidence without any decision', () => {
    const none = { decisions: 0, sumUnits: 0, days: 0, firstAt: null, lastCompletedAt: null };
    expect(only(entry('a', 1, none)).missing.map(({ what }) => what)).toEqual([
      'decisions',
      'days',
      'span_days',
      'e_value',
    ]);
  });

  test('does not depend on the order of the input, and has a rank exactly if it is ranked', () => {
    const some = fc.array(
      fc.record({ eValue: fc.constantFrom(0, 1, 30, 60, 100, 1e4), decisions: fc.integer({ min: 0, max: 60 }) }),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(some, (all) => {
        const entries = all.map(({ eValue, decisions }, i) => entry(`p${i}`, eValue, { decisions }));
        const ranking = rankPublishers(entries, LIVE);
        expect(rankPublishers(entries.toReversed(), LIVE)).toEqual(ranking);
        const ranked = ranking.filter(({ status }) => status === 'ranked').length;
        expect(ranking.map(({ rank }) => rank)).toEqual(ranking.map((_, i) => (i < ranked ? i + 1 : null)));
        for (const { status, missing } of ranking) expect(missing.length === 0).toBe(status === 'ranked');
      }),
    );
  });
});
