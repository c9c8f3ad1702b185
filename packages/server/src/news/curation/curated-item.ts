// A news item after curation: plain text, one category, its instruments and its times (epoch milliseconds).
import type { NewsAccount, NewsCategory } from '@tickwire/contract';
import type { EpochMs } from '@tickwire/engine';

export interface CuratedItem {
  /** 32 hexadecimal digits, derived from the origin and its own id: stable across restarts. */
  readonly id: string;
  readonly title: string;
  readonly category: NewsCategory;
  readonly symbols: readonly string[];
  readonly url: string | null;
  /** The first source that reported it. */
  readonly source: string;
  /** The account that pushed it; `null` for an item of a configured source. */
  readonly account: NewsAccount | null;
  /** The source's own id of the item. */
  readonly guid: string | null;
  /** Never later than `seenAt`; equal to it if the source states no time. */
  readonly publishedAt: EpochMs;
  /** Whether `publishedAt` is the time that the source states. */
  readonly isTimeStated: boolean;
  readonly seenAt: EpochMs;
  /** Number of sources that reported it, including the first. */
  readonly cluster: number;
  /** Number of times the title has changed. */
  readonly revision: number;
}

export const LEFT_OUT_REASONS = ['empty', 'off_topic', 'too_old', 'duplicate', 'revised_too_often'] as const;
export type LeftOutReason = (typeof LEFT_OUT_REASONS)[number];

export type Curated =
  | { readonly kind: 'new'; readonly item: CuratedItem }
  | { readonly kind: 'clustered'; readonly id: string; readonly cluster: number }
  | { readonly kind: 'revised'; readonly item: CuratedItem }
  | { readonly kind: 'left_out'; readonly reason: LeftOutReason };
