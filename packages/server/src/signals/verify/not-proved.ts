// What a verification without faults does not prove (N1 to N9 in docs/reference/signals.md).
import { formatCount } from '../../ops/progress.ts';
import type { VerifyResult } from './verify.ts';

/** In the order of their numbers: the first is N1. */
export const UNPROVED_CODES = [
  'no_outside_head',
  'no_time_stamp',
  'no_tape',
  'unsealed_days',
  'not_served',
  'active_signals',
  'key_changes',
  'operator_keys',
  'declared_gaps',
] as const;
export type UnprovedCode = (typeof UNPROVED_CODES)[number];

export interface NotProved {
  readonly code: UnprovedCode;
  /** Number of records, days, signals, keys or publishers. */
  readonly count: number;
  readonly message: string;
}

export function notProved({ log, outside, stamps, tape }: VerifyResult): NotProved[] {
  const last = log.tail?.n ?? -1;
  const unserved = tape ? [...tape.unchecked.values()].reduce((sum, signals) => sum + signals, 0) : 0;
  const { changes, publishers } = log.signatures;
  const all: readonly (readonly [UnprovedCode, number, string, string])[] = [
    [
      'no_outside_head',
      last - outside,
      'record',
      'since the newest head from outside: the owner of the log can still rewrite them',
    ],
    [
      'no_time_stamp',
      last - (stamps?.until ?? -1),
      'record',
      'without a time stamp: only the service says when they were written',
    ],
    ['no_tape', tape ? 0 : log.signals, 'signal', 'not judged by all ticks of its market: the tape was not checked'],
    [
      'unsealed_days',
      tape?.unsealed ?? 0,
      'day',
      'of an instrument without a seal: the service chose the ticks when it was asked',
    ],
    ['not_served', unserved, 'signal', 'whose ticks were not served'],
    ['active_signals', log.active.size, 'signal', 'active, without a result yet'],
    ['key_changes', changes, 'signing key', 'changed or removed: the log does not show who did it'],
    [
      'operator_keys',
      publishers.size,
      'publisher',
      'with a signing key that the operator could have registered: compare it with one from the publisher',
    ],
    ['declared_gaps', log.gaps, 'gap', 'that only the service declares: nothing outside shows that prices were lost'],
  ];
  return all.flatMap(([code, count, one, rest]) =>
    count > 0 ? [{ code, count, message: `${formatCount(count)} ${one}${count === 1 ? '' : 's'} ${rest}` }] : [],
  );
}

/** Of the command: 1 with faults, 3 if there are none but ticks were not served, otherwise 0. */
export const exitStatus = ({ findings, tape }: VerifyResult): number =>
  findings.count > 0 ? 1 : tape && tape.unchecked.size > 0 ? 3 : 0;
