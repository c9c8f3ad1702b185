// Intervals of one instrument for which prices are lost for good, as far as they can concern a signal.
import type { EpochMs } from '../market/time.ts';

/** Gaps kept separately; beyond this number the oldest are merged. */
const MAX_GAPS = 1_000;

export interface PriceGap {
  readonly seq: number;
  readonly from: EpochMs;
  readonly to: EpochMs;
}

export class PriceGaps {
  #gaps: PriceGap[] = [];

  get isEmpty(): boolean {
    return this.#gaps.length === 0;
  }

  add(gap: PriceGap): void {
    this.#gaps.push(gap);
    if (this.#gaps.length <= MAX_GAPS) return;
    const [first, second] = this.#gaps.splice(0, 2) as [PriceGap, PriceGap];
    const from = first.from < second.from ? first.from : second.from;
    this.#gaps.unshift({ seq: second.seq, from, to: first.to > second.to ? first.to : second.to });
  }

  /** Drops the gaps that were declared at or before `seq`. */
  dropUntil(seq: number): void {
    if (this.#gaps.length > 0) this.#gaps = this.#gaps.filter((gap) => gap.seq > seq);
  }

  /** First start and last end of the gaps after `seq`. */
  since(seq: number): { readonly from: EpochMs; readonly to: EpochMs } | null {
    let gap: { from: EpochMs; to: EpochMs } | null = null;
    for (const each of this.#gaps) {
      if (each.seq <= seq) continue;
      gap ??= { from: each.from, to: each.to };
      if (each.from < gap.from) gap.from = each.from;
      if (each.to > gap.to) gap.to = each.to;
    }
    return gap;
  }
}
