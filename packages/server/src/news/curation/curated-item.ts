// An item of news as it leaves curation: plain text, one category, instruments, one place in time.
import type { NewsCategory } from '@tickwire/contract';
import type { EpochMs } from '@tickwire/engine';

export interface CuratedItem {
  /** 32 hexadecimal digits; the same for the same item of the same source, always. */
  readonly id: string;
  readonly title: string;
  readonly category: NewsCategory;
  readonly symbols: readonly string[];
  readonly url: string | null;
  /** The first source that had it. */
  readonly source: string;
  /** That source's own name of it. */
  readonly guid: string | null;
  /** Never later than `seenAt`. */
  readonly publishedAt: EpochMs;
  readonly seenAt: EpochMs;
  /** How many sources have had it, the first included. */
  readonly cluster: number;
  /** 0, and one more for every change of the title. */
  readonly revision: number;
}

export const LEFT_OUT_REASONS = ['empty', 'off_topic', 'too_old', 'duplicate', 'revised_too_often'] as const;
export type LeftOutReason = (typeof LEFT_OUT_REASONS)[number];

export type Curated =
  | { readonly kind: 'new'; readonly item: CuratedItem }
  | { readonly kind: 'folded'; readonly id: string; readonly cluster: number }
  | { readonly kind: 'revised'; readonly item: CuratedItem }
  | { readonly kind: 'left_out'; readonly reason: LeftOutReason };
