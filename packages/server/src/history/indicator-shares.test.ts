import { describe, expect, test } from 'bun:test';
import { TIERS } from '@tickwire/contract';
import fc from 'fast-check';
import { IndicatorShares } from './indicator-shares.ts';
import { MAX_LIVE_INDICATORS } from './live-indicators.ts';

type TierName = keyof typeof TIERS;

/** How many of the indicators of its tier each of these accounts gets. */
function taken(shares: IndicatorShares, tierName: TierName, accounts: number): number[] {
  return Array.from({ length: accounts }, (_, at) => {
    const publicId = `${tierName} ${at}`;
    let got = 0;
    while (got < TIERS[tierName].live_indicators && shares.take(`${publicId} ${got}`, { publicId, tierName })) got++;
    return got;
  });
}

const newShares = (): IndicatorShares => new IndicatorShares(MAX_LIVE_INDICATORS, TIERS);

describe('the live indicators of a process', () => {
  test('are enough for an account of each tier beside any number of accounts of another', () => {
    for (const greedy of Object.keys(TIERS) as TierName[])
      for (const modest of Object.keys(TIERS) as TierName[]) {
        if (greedy === modest) continue;
        const shares = newShares();
        taken(shares, greedy, 1_000);
        expect([greedy, modest, taken(shares, modest, 1)]).toEqual([greedy, modest, [TIERS[modest].live_indicators]]);
      }
  });

  test('are at most all of them', () => {
    const shares = newShares();
    const got = (Object.keys(TIERS) as TierName[]).flatMap((tier) => taken(shares, tier, 1_000));
    const total = got.reduce((sum, count) => sum + count, 0);
    expect(total).toBeWithin(MAX_LIVE_INDICATORS - 10, MAX_LIVE_INDICATORS + 1);
  });

  test('of a tier go to its accounts as its limit says, and then to each as many as it leaves', () => {
    expect(taken(newShares(), 'premium', 3)).toEqual([1_000, 1_000, 1_000]);
    const free = taken(newShares(), 'free', 45);
    expect(free.slice(0, 34)).toEqual(Array(34).fill(100));
    for (const got of free.slice(34, 40)) expect(got).toBeGreaterThan(0);
    expect(free.toSorted((a, b) => b - a)).toEqual(free);
  });

  test('count once for accounts of a tier that share them, and for those that stay', () => {
    const shares = new IndicatorShares(8, { free: TIERS.free });
    const [one, two] = ['one', 'two'].map((publicId) => ({ publicId, tierName: 'free' }));
    for (let at = 0; at < 4; at++)
      expect([shares.take(`${at}`, one!), shares.take(`${at}`, two!)]).toEqual([true, true]);
    expect(shares.readerOf('0')).toBe('one');
    // Four are left, and each account has as many.
    expect([shares.take('4', one!), shares.take('4', two!)]).toEqual([false, false]);
    for (let at = 0; at < 4; at++) shares.release(`${at}`, one!);
    expect(shares.readerOf('0')).toBe('two');
    expect([shares.take('4', two!), shares.take('4', one!), shares.take('4', two!)]).toEqual([false, true, true]);
  });

  test('are never more than all, and enough for a new tier, whoever shared and released them', () => {
    const step = fc.record({
      account: fc.nat(3),
      tier: fc.constantFrom('free', 'pro', 'unknown'),
      indicator: fc.nat(25),
      frees: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const shares = new IndicatorShares(20, TIERS);
        const held: [string, { publicId: string; tierName: string }][] = [];
        for (const { account, tier: tierName, indicator, frees } of steps) {
          const publicId = `${tierName} ${account}`;
          if (frees && held.length > 0) shares.release(...held.splice(indicator % held.length, 1)[0]!);
          else if (shares.take(`${indicator}`, { publicId, tierName }))
            held.push([`${indicator}`, { publicId, tierName }]);
          expect(new Set(held.map(([name]) => name)).size).toBeLessThanOrEqual(20);
        }
        expect(taken(shares, 'premium', 1)).toEqual([5]);
        for (let at = 0; at < 5; at++)
          shares.release(`premium 0 ${at}`, { publicId: 'premium 0', tierName: 'premium' });
        for (const each of held) shares.release(...each);
        expect(taken(shares, 'free', 1)).toEqual([5]);
      }),
    );
  });
});
