// Shares the live indicators of a process between tiers and accounts. An indicator counts for each account that reads it, and once
// for each tier of these accounts, so nobody has more or less because others share it. Each tier keeps room for what one of its
// accounts may have. Of the rest, an account may have as many as it leaves, so that the accounts of one tier cannot take all.
// What another account of the tier reads already takes no room.
import type { Tier } from '@tickwire/contract';
import { Counts } from '../work/counts.ts';

/** An account whose streams read indicators. */
export interface IndicatorReaderAccount {
  readonly publicId: string;
  readonly tierName: string;
}

interface Reading {
  /** That of the account when it began. */
  readonly tierName: string;
  /** Streams, and requests that load it. */
  uses: number;
}

export class IndicatorShares {
  readonly #total: number;
  /** Room that each tier keeps from the others. */
  readonly #reserves: ReadonlyMap<string, number>;
  /** By indicator and account, in the order in which the accounts came. */
  readonly #readings = new Map<string, Map<string, Reading>>();
  /** Indicators that each account reads. */
  readonly #accounts = new Counts();
  /** Of each tier, how many of its accounts read each indicator. */
  readonly #tiers = new Map<string, Counts>();

  constructor(total: number, tiers: Readonly<Record<string, Pick<Tier, 'live_indicators'>>>) {
    this.#total = total;
    const names = Object.keys(tiers);
    const most = Math.floor(total / (names.length + 1));
    this.#reserves = new Map(names.map((name) => [name, Math.min(tiers[name]!.live_indicators, most)]));
  }

  /** The account that reads an indicator for the longest time; '' if none does. */
  readerOf(indicator: string): string {
    return this.#readings.get(indicator)?.keys().next().value ?? '';
  }

  /** An account reads an indicator, once more. Returns false if the account has its share. */
  take(indicator: string, { publicId, tierName }: IndicatorReaderAccount): boolean {
    const readings = this.#readings.get(indicator) ?? new Map<string, Reading>();
    const reading = readings.get(publicId);
    if (reading) {
      reading.uses++;
      return true;
    }
    const ofTier = this.#tiers.get(tierName) ?? new Counts();
    if (ofTier.get(indicator) === 0 && !this.#hasRoom(publicId, tierName)) return false;
    this.#readings.set(indicator, readings.set(publicId, { tierName, uses: 1 }));
    this.#accounts.add(publicId, 1);
    ofTier.add(indicator, 1);
    this.#tiers.set(tierName, ofTier);
    return true;
  }

  /** Ends one use. */
  release(indicator: string, { publicId }: IndicatorReaderAccount): void {
    const readings = this.#readings.get(indicator);
    const reading = readings?.get(publicId);
    if (!readings || !reading || --reading.uses > 0) return;
    readings.delete(publicId);
    if (readings.size === 0) this.#readings.delete(indicator);
    this.#accounts.add(publicId, -1);
    this.#tiers.get(reading.tierName)!.add(indicator, -1);
  }

  #hasRoom(publicId: string, tierName: string): boolean {
    const own = this.#accounts.get(publicId);
    let room = this.#total;
    for (const [, { size }] of this.#tiers) room -= size;
    for (const [tier, reserve] of this.#reserves)
      if (tier !== tierName) room -= Math.max(0, reserve - this.#used(tier));
    return own < room || (own === this.#used(tierName) && own < (this.#reserves.get(tierName) ?? 0));
  }

  #used(tierName: string): number {
    return this.#tiers.get(tierName)?.size ?? 0;
  }
}
