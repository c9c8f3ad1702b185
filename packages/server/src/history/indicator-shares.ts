// Shares the live indicators of a process between tiers and accounts. Each tier keeps room for what one of its accounts may have.
// Of the rest, an account may have as many as it leaves, so that the accounts of one tier cannot take all.
import type { Tier } from '@tickwire/contract';
import { Counts } from '../work/counts.ts';

/** The account that an indicator is computed for: the first that asked for it, as long as anybody uses it. */
export interface IndicatorOwner {
  readonly publicId: string;
  readonly tierName: string;
}

export class IndicatorShares {
  readonly #total: number;
  /** Room that each tier keeps from the others. */
  readonly #reserves: ReadonlyMap<string, number>;
  readonly #accounts = new Counts();
  readonly #tiers = new Counts();
  #used = 0;

  constructor(total: number, tiers: Readonly<Record<string, Pick<Tier, 'live_indicators'>>>) {
    this.#total = total;
    const names = Object.keys(tiers);
    const most = Math.floor(total / (names.length + 1));
    this.#reserves = new Map(names.map((name) => [name, Math.min(tiers[name]!.live_indicators, most)]));
  }

  /** Indicators that are computed. */
  get used(): number {
    return this.#used;
  }

  /** Returns what gives the room back; `null` if the account has its share. */
  take({ publicId, tierName }: IndicatorOwner): (() => void) | null {
    const own = this.#accounts.get(publicId);
    const isFirst = own === this.#tiers.get(tierName) && own < (this.#reserves.get(tierName) ?? 0);
    if (own >= this.#roomOf(tierName) && !isFirst) return null;
    const add = (change: 1 | -1): void => {
      this.#used += change;
      this.#accounts.add(publicId, change);
      this.#tiers.add(tierName, change);
    };
    add(1);
    return () => add(-1);
  }

  #roomOf(tierName: string): number {
    let room = this.#total - this.#used;
    for (const [tier, reserve] of this.#reserves)
      if (tier !== tierName) room -= Math.max(0, reserve - this.#tiers.get(tier));
    return room;
  }
}
