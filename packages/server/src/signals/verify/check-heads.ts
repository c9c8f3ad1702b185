// Checks heads that were kept outside the log: each must be signed by the key of the log and match its record.
import { LogHead, type OpenedRecord } from '@tickwire/contract';
import { verifyHead } from '../head.ts';
import type { LogCheck } from './check-log.ts';
import type { Findings } from './findings.ts';

export interface KeptHead {
  /** File and line it was read from, for the report. */
  readonly from: string;
  readonly head: LogHead;
}

export interface HeadLines {
  readonly heads: readonly KeptHead[];
  /** Number of lines that are not heads, such as one that a crash cut off. */
  readonly unreadable: number;
}

/** Parses a file of heads, one per line. */
export function readHeads(text: string, file: string): HeadLines {
  const heads: KeptHead[] = [];
  let unreadable = 0;
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const head = headOf(line);
    if (head) heads.push({ from: `${file}:${index + 1}`, head });
    else unreadable++;
  }
  return { heads, unreadable };
}

function headOf(line: string): LogHead | null {
  try {
    return LogHead.parse(JSON.parse(line));
  } catch {
    return null;
  }
}

/** `log` must have recorded the hashes of the heads' numbers (`watched`). */
export function checkHeads(heads: readonly KeptHead[], log: LogCheck, findings: Findings): void {
  for (const { from, head } of heads) {
    const message = faultOf(head, log);
    if (message) findings.add({ n: head.n, code: 'head', message: `the head in ${from} ${message}` });
  }
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
