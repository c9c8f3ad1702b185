// What a block says, without prices: its labels and numbers, each with its place. `block-reader.ts` reads it.
import type { Place } from './tokens.ts';

export type Unit = 'price' | 'pips' | 'points';

/** A number beside a level. */
interface Remark {
  readonly text: string;
  readonly place: Place;
}

export interface ReadNumber extends Place {
  /** Groups of thousands that spaces separate are joined with the space. */
  text: string;
  to: number;
  readonly unit: Unit;
  /** Only a space separates it from the number before: both may be one number. */
  readonly afterSpace: boolean;
  /** `1907 (80 pips)`. */
  distance?: Remark;
  /** `1920 (50%)`: a part of the position. */
  percent?: Remark;
}

export interface ReadTarget {
  /** `null`: not numbered. */
  readonly ordinal: number | null;
  /** `null`: without a price. */
  readonly value: ReadNumber | null;
  /** `TP3 open`. */
  readonly isOpen: boolean;
  readonly place: Place;
}

export interface ReadBlock {
  readonly directions: readonly (Place & { readonly direction: 'buy' | 'sell' })[];
  readonly now: Place | null;
  readonly order: (Place & { readonly kind: 'limit' | 'stop' }) | null;
  readonly entries: readonly ReadNumber[];
  readonly stops: readonly ReadNumber[];
  readonly targets: readonly ReadTarget[];
}
