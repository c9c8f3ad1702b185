// News sources and the raw items that they deliver.
import type { NewsAccount, NewsCategory } from '@tickwire/contract';
import { type EpochMs, MINUTE_MS } from '@tickwire/engine';

export interface RawItem {
  /** Name of the source. */
  readonly source: string;
  /** The account that pushed the item; `null` for an item of a configured source. */
  readonly account: NewsAccount | null;
  /** Category of the source; `null` if it covers several. */
  readonly category: NewsCategory | null;
  /** Priority of the source: among items of the same time, the greater weight comes first. */
  readonly weight: number;
  /** The source's own id of the item, if it has one. */
  readonly guid: string | null;
  readonly url: string | null;
  /** As received: may contain markup, entities and control characters. */
  readonly title: string;
  readonly summary: string | null;
  /** As stated by the source; `null` if it states none that can be read, or one in the future. */
  readonly publishedAt: EpochMs | null;
  readonly seenAt: EpochMs;
}

/** Tolerance for clock differences. A time further ahead is wrong. */
export const MAX_AHEAD_MS = 10 * MINUTE_MS;

/** Identifies where an item comes from. Two accounts may use the same source name, and neither is the configured source. */
export const originOf = ({ source, account }: Pick<RawItem, 'source' | 'account'>): string =>
  account ? `${account.id}\u0000${source}` : source;

export type TakeNews = (items: readonly RawItem[]) => void;

export interface NewsSourceStatus {
  readonly name: string;
  readonly url: string | null;
  readonly state: 'starting' | 'ok' | 'failing' | 'stopped';
  readonly lastItemAt: number;
  readonly lastPollAt: number;
  /** Number of polls without new items (304 or the same items). */
  readonly unchanged: number;
  readonly items: number;
  readonly failures: number;
  readonly lastError: string | null;
}

export interface NewsSource {
  start(): void;
  stop(): Promise<void>;
  statuses(): readonly NewsSourceStatus[];
}
