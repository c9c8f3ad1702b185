// What a check has found to be false. A check goes on after a fault: one changed record must not hide another.

export interface Finding {
  /** Number of the record; null where it is about none in particular. */
  readonly n: number | null;
  readonly signal?: string;
  readonly code: FindingCode;
  readonly message: string;
}

export type FindingCode =
  // The chain.
  | 'number'
  | 'hash'
  | 'prev'
  | 'not_json'
  | 'not_canonical'
  | 'shape'
  | 'rules_version'
  | 'opening'
  // The life of a signal.
  | 'published_twice'
  | 'not_published'
  | 'closed_twice'
  | 'belongs'
  | 'price'
  | 'levels'
  | 'order_kind'
  | 'deadline'
  | 'accepted_quote'
  | 'evidence_order'
  | 'fill'
  | 'decision'
  | 'closed_at'
  | 'gap'
  | 'self_sourced'
  | 'pnl'
  // The tape.
  | 'sealed_twice'
  | 'sealed_file'
  | 'not_on_tape'
  | 'tape_decides'
  // What stands beside the log.
  | 'head'
  | 'row'
  | 'note';

/** Kept of all that is found; the rest is counted. */
export const KEPT_FINDINGS = 1_000;

export class Findings {
  readonly first: Finding[] = [];
  count = 0;

  add(finding: Finding): void {
    this.count++;
    if (this.first.length < KEPT_FINDINGS) this.first.push(finding);
  }
}
