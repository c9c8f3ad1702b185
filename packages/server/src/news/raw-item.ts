// News as a source has it, before anything was made of it.
import type { NewsCategory } from '@tickwire/contract';
import type { EpochMs } from '@tickwire/engine';

export interface RawItem {
  /** Name of the source. */
  readonly source: string;
  /** What the source writes about; null where it writes about everything. */
  readonly category: NewsCategory | null;
  /** How much the source counts where several have the same: the greater goes first. */
  readonly weight: number;
  /** The source's own name of the item, where it has one. */
  readonly guid: string | null;
  readonly url: string | null;
  /** As it came: may hold markup, entities, control characters. */
  readonly title: string;
  readonly summary: string | null;
  /** As the source says; null where it does not. */
  readonly publishedAt: EpochMs | null;
  readonly seenAt: EpochMs;
}

export type TakeNews = (items: readonly RawItem[]) => void;

export interface NewsSourceStatus {
  readonly name: string;
  readonly url: string | null;
  readonly state: 'starting' | 'ok' | 'failing' | 'stopped';
  readonly lastItemAt: number;
  readonly lastPollAt: number;
  /** Polls that brought nothing new (304 or the same items). */
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
