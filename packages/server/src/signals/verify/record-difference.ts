// Compares a record with the one that the service writes for a verdict of the engine, field by field.
import type { ClosedRecord, Evidence, PublishedRecord } from '@tickwire/contract';
import type { ClosedVerdict, ExitedVerdict, FilledVerdict } from '@tickwire/engine';
import { closedRecord, exitedRecord, filledRecord } from '../signal-records.ts';
import { describeEvidence, isSameEvidence } from './evidence-text.ts';
import type { FindingCode } from './findings.ts';
import type { DecidedRecord } from './recorded-signal.ts';

export type SignalVerdict = FilledVerdict | ExitedVerdict | ClosedVerdict;

interface Difference {
  readonly field: string;
  readonly code: FindingCode;
  /** In words. */
  readonly logged: string;
  readonly expected: string;
}

/** The fields that follow from a verdict, in the order in which differences are reported. `decided_seq` is only a bound. */
const FIELDS: Readonly<Record<SignalVerdict['kind'], Readonly<Record<string, FindingCode>>>> = {
  filled: { entry_price: 'fill', filled_at: 'fill', filled: 'fill' },
  exited: { target: 'decision', fraction: 'decision', price: 'decision', exited_at: 'decision', decided: 'decision' },
  closed: {
    reason: 'decision',
    entry_price: 'fill',
    filled: 'fill',
    closed_at: 'closed_at',
    decided: 'decision',
    last_exit: 'decision',
    exit_price: 'decision',
    pnl: 'pnl',
    pnl_percent: 'pnl',
    pnl_r: 'pnl',
    pnl_best: 'pnl',
    self_sourced: 'self_sourced',
  },
};

/** The record must be of the kind of the verdict. */
export function differencesOf(
  record: DecidedRecord,
  verdict: SignalVerdict,
  published: PublishedRecord,
): readonly Difference[] {
  const expected = recordOf(verdict, published) as Readonly<Record<string, unknown>>;
  const logged = record as unknown as Readonly<Record<string, unknown>>;
  const fields = FIELDS[verdict.kind];
  const differences: Difference[] = [];
  for (const field in fields)
    if (!isSame(logged[field], expected[field])) {
      const [inLog, inTruth] = [inWords(logged[field]), inWords(expected[field])];
      differences.push({ field, code: fields[field]!, logged: inLog, expected: inTruth });
    }
  return differences;
}

function recordOf(verdict: SignalVerdict, published: PublishedRecord) {
  // Nobody compares the time at which it is written.
  if (verdict.kind === 'filled') return filledRecord(verdict, published, 0);
  return verdict.kind === 'exited' ? exitedRecord(verdict, published, 0) : closedRecord(verdict, published, 0);
}

function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (!isObject(a) || !isObject(b)) return false;
  if ('kind' in a) return isSameEvidence(a as Evidence, b as Evidence);
  const [part, other] = [a, b] as [LastExit, LastExit];
  return part.fraction === other.fraction && part.price === other.price;
}

type LastExit = NonNullable<ClosedRecord['last_exit']>;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function inWords(value: unknown): string {
  if (value === undefined) return 'missing';
  if (!isObject(value)) return String(value);
  return 'kind' in value ? describeEvidence(value as Evidence) : JSON.stringify(value);
}
