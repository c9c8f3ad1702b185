// Checks heads that were kept outside the log: each must be signed by the key of the log and match its record. A head is not
// older than the records up to it, and the records after it are not older than the head.
import { KeptHead, type LogHead, type OpenedRecord } from '@tickwire/contract';
import { verifyHead } from '../head.ts';
import type { LogCheck } from './check-log.ts';
import type { Findings } from './findings.ts';

/** A head, with its time stamps if they were kept too. */
const HeadLine = KeptHead.partial({ tokens: true });

export interface HeadToCheck {
  /** File and line it was read from, for the report. */
  readonly from: string;
  readonly head: LogHead & Partial<Pick<KeptHead, 'tokens'>>;
  /** It was kept outside the service. */
  readonly outside?: boolean;
}

export interface HeadLines {
  readonly heads: readonly HeadToCheck[];
  /** Number of lines that are not heads, such as one that a crash cut off. */
  readonly unreadable: number;
}

/** Parses a file of heads, one per line. */
export function readHeads(text: string, file: string): HeadLines {
  const heads: HeadToCheck[] = [];
  let unreadable = 0;
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const head = headOf(line);
    if (head) heads.push({ from: `${file}:${index + 1}`, head, outside: true });
    else unreadable++;
  }
  return { heads, unreadable };
}

function headOf(line: string): HeadToCheck['head'] | null {
  try {
    return HeadLine.parse(JSON.parse(line)) as HeadToCheck['head'];
  } catch {
    return null;
  }
}

/** Returns the heads without faults. `log` must have watched the numbers of the heads. */
export function checkHeads(heads: readonly HeadToCheck[], log: LogCheck, findings: Findings): HeadToCheck[] {
  return heads.filter(({ from, head }) => {
    const fault = faultOf(head, log);
    if (fault) findings.add({ n: head.n, code: 'head', message: `the head in ${from} ${fault}` });
    return !fault && isInTime(head, from, log, findings);
  });
}

function faultOf(head: LogHead, { opened, tail, hashes }: LogCheck): string | null {
  if (!verifyHead(head)) return 'is not signed by the key it names';
  if (!opened || !isOf(head, opened)) return `belongs to the log ${head.log}, not to this one`;
  if (head.n > (tail?.n ?? -1)) return `is of record ${head.n}, but the log ends at record ${tail?.n ?? 'none'}`;
  const hash = hashes.get(head.n);
  return hash === head.hash ? null : `says record ${head.n} had the hash ${head.hash}; now it is ${hash ?? 'missing'}`;
}

const isOf = (head: LogHead, { log, public_key }: OpenedRecord): boolean =>
  head.log === log && head.public_key === public_key;

/**
 * Whether a head is not older than its record. Records that are older than a head before them are found by their order. In a
 * replay, records have the time of the recording.
 */
function isInTime({ n, at }: LogHead, from: string, { opened, times }: LogCheck, findings: Findings): boolean {
  const last = times.get(n);
  if (opened?.realm === 'replay' || last === undefined || last <= Date.parse(at)) return true;
  const message = `it is from ${new Date(last).toISOString()}, later than its head in ${from} of ${at}`;
  findings.add({ n, code: 'head_time', message });
  return false;
}
