// Raw items of news sources.
import type { NewsAccount, NewsCategory } from '@tickwire/contract';
import { type EpochMs, MINUTE_MS } from '@tickwire/engine';
import type { ParsedItem } from '../documents/parsed-feed.ts';

/** Its `publishedAt` is also `null` if the source states a time in the future. */
export interface RawItem extends ParsedItem {
  /** Name of the source. */
  readonly source: string;
  /** The account that pushed the item; `null` for an item of a configured source. */
  readonly account: NewsAccount | null;
  /** Category of the source; `null` if it covers several. */
  readonly category: NewsCategory | null;
  /** Priority of the source: among items of the same time, the greater weight comes first. */
  readonly weight: number;
  readonly seenAt: EpochMs;
}

/** Tolerance for clock differences. A time further ahead is wrong. */
export const MAX_AHEAD_MS = 10 * MINUTE_MS;

/** Identifies where an item comes from. Two accounts may use the same source name, and neither is the configured source. */
export const originOf = ({ source, account }: Pick<RawItem, 'source' | 'account'>): string =>
  account ? `${account.id}\u0000${source}` : source;

export type TakeNews = (items: readonly RawItem[]) => void;
