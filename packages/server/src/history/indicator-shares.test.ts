import { describe, expect, test } from 'bun:test';
import { TIERS } from '@tickwire/contract';
import fc from 'fast-check';
import { IndicatorShares } from './indicator-shares.ts';
import { MAX_LIVE_INDICATORS } from './live-indicators.ts';

type TierName = keyof typeof TIERS;

/** How many of the indicators of its tier each of these accounts gets. */
function taken(shares: IndicatorShares, tierName: TierName, accounts: number): number[] {
  return Array.from({ length: accounts }, (_, at) => {
    const owner = { publicId: `${tierName} ${at}`, tierName };
    let got = 0;
    while (got < TIERS[tierName].live_indicators && shares.take(owner)) got++;
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
    for (const tier of Object.keys(TIERS) as TierName[]) taken(shares, tier, 1_000);
    expect(shares.used).toBeWithin(MAX_LIVE_INDICATORS - 10, MAX_LIVE_INDICATORS + 1);
  });

  test('of a tier go to its accounts as its limit says, and then to each as many as it leaves', () => {
    expect(taken(newShares(), 'premium', 3)).toEqual([1_000, 1_000, 1_000]);
    const free = taken(newShares(), 'free', 45);
    expect(free.slice(0, 34)).toEqual(Array(34).fill(100));
    for (const got of free.slice(34, 40)) expect(got).toBeGreaterThan(0);
    expect(free.toSorted((a, b) => b - a)).toEqual(free);
  });

  test('come back when they are released, and are never more than all', () => {
    const names = Object.keys(TIERS);
    const step = fc.record({ account: fc.nat(5), tier: fc.constantFrom(...names, 'unknown'), frees: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const shares = new IndicatorShares(20, TIERS);
        const held: (() => void)[] = [];
        for (const { account, tier: tierName, frees } of steps) {
          const release = frees ? held.shift() : undefined;
          if (release) release();
          else {
            const took = shares.take({ publicId: `${tierName} ${account}`, tierName });
            if (took) held.push(took);
          }
          expect(shares.used).toBe(held.length);
          expect(shares.used).toBeLessThanOrEqual(20);
        }
        for (const release of held) release();
        expect(taken(shares, 'free', 1)).toEqual([5]);
      }),
    );
  });
});
