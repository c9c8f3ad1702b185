// Heads that were kept outside the log, held against it: each must be signed by the log's own key and found in it.
import { LogHead, type OpenedRecord } from '@tickwire/contract';
import { verifyHead } from '../head.ts';
import type { LogCheck } from './check-log.ts';
import type { Findings } from './finding.ts';

export interface KeptHead {
  /** Where it was kept, for whoever reads the findings. */
  readonly from: string;
  readonly head: LogHead;
}

export interface HeadLines {
  readonly heads: readonly KeptHead[];
  /** Lines that are no heads, such as one that a crash cut off. */
  readonly unreadable: number;
}

/** The lines of a file of heads. */
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

/** The log must have been read with the numbers of the heads watched. */
export function checkHeads(heads: readonly KeptHead[], log: LogCheck, findings: Findings): void {
  for (const { from, head } of heads) {
    const message = faultOf(head, log);
    if (message) findings.add({ n: head.n, code: 'head', message: `the head in ${from} ${message}` });
  }
}

function faultOf(head: LogHead, { opened, tail, hashes }: LogCheck): string | null {
  if (!verifyHead(head)) return 'is not signed by the key it names';
  if (!opened || !isOf(head, opened)) return `is of the log ${head.log}, not of this one`;
  if (head.n > (tail?.n ?? -1)) return `is of record ${head.n}, but the log ends at ${tail?.n ?? 'nothing'}`;
  const hash = hashes.get(head.n);
  return hash === head.hash ? null : `says record ${head.n} had the hash ${head.hash}; now it is ${hash ?? 'missing'}`;
}

const isOf = (head: LogHead, { log, public_key }: OpenedRecord): boolean =>
  head.log === log && head.public_key === public_key;
