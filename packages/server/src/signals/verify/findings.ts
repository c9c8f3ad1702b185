// Faults found by a check. A check continues after a fault, so that one changed record does not hide another.

export interface Finding {
  /** Number of the record; `null` if it concerns no single record. */
  readonly n: number | null;
  readonly signal?: string;
  readonly code: FindingCode;
  readonly message: string;
}

/** In the order of their numbers in docs/reference/signals.md: the first is F1. */
export const FINDING_CODES = [
  // Chain.
  'number',
  'hash',
  'prev',
  'not_json',
  'not_canonical',
  'shape',
  'rules_version',
  'opening',
  // Order in time.
  'time_order',
  'quote_order',
  // Lifecycle of a signal.
  'record_order',
  'published_twice',
  'not_published',
  'closed_twice',
  'voided_twice',
  'belongs',
  'price',
  'levels',
  'targets',
  'order_kind',
  'deadline',
  'never_closed',
  'accepted_quote',
  'amendment',
  'close_request',
  'signature',
  'evidence_order',
  'fill',
  'decision',
  'closed_at',
  'gap',
  'recovered',
  'self_sourced',
  'pnl',
  // Tape.
  'sealed_twice',
  'sealed_file',
  'not_on_tape',
  'tape_decides',
  // Data beside the log.
  'head',
  'head_time',
  'time_stamp',
  'row',
  'note',
  'tape_block',
] as const;
export type FindingCode = (typeof FINDING_CODES)[number];

export const findingNumber = (code: FindingCode): number => FINDING_CODES.indexOf(code) + 1;

/** Reports a fault of the record that is being checked. */
export type ReportFault = (code: FindingCode, message: string) => void;

/** Findings kept; the rest are only counted. */
export const KEPT_FINDINGS = 1_000;

export class Findings {
  readonly first: Finding[] = [];
  count = 0;

  add(finding: Finding): void {
    this.count++;
    if (this.first.length < KEPT_FINDINGS) this.first.push(finding);
  }
}
