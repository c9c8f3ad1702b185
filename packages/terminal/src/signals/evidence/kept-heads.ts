// Heads of the log that this browser has seen, one a day at most. Who keeps a head can show later that the log before it was
// not rewritten: so this page keeps some, and looks whether they are still in the log.
import type { LogHead } from '@tickwire/client';
import { recordHash } from './canonical.ts';
import type { ReadLog } from './check-log.ts';
import type { Step } from './step.ts';

const NAME = 'tickwire.heads';
const MOST = 30;
const TITLE = 'Heads kept in this browser';

export type Shelf = Pick<Storage, 'getItem' | 'setItem'>;
export type KeptHead = Pick<LogHead, 'log' | 'n' | 'hash' | 'at'>;

export function keptHeads(shelf: Shelf): readonly KeptHead[] {
  try {
    const read: unknown = JSON.parse(shelf.getItem(NAME) ?? '[]');
    return Array.isArray(read) ? (read as KeptHead[]) : [];
  } catch {
    // Not written by this version: start over.
    return [];
  }
}

/** The first of a day stays; of all, the oldest one and the newest. */
export function keepHead(shelf: Shelf, { log, n, hash, at }: LogHead): void {
  const kept = keptHeads(shelf);
  if (kept.some((head) => head.log === log && head.at.slice(0, 10) === at.slice(0, 10))) return;
  const [oldest, ...rest] = [...kept, { log, n, hash, at }];
  const heads = oldest ? [oldest, ...rest.slice(-(MOST - 1))] : [];
  shelf.setItem(NAME, JSON.stringify(heads));
}

/** Of a service that was begun anew on purpose, what was kept is of no use any more. */
export function forgetHeads(shelf: Pick<Storage, 'removeItem'>): void {
  shelf.removeItem(NAME);
}

/** Looks for the oldest and the newest that were kept. */
export async function checkKeptHeads(
  head: LogHead,
  shelf: Shelf,
  readLog: ReadLog,
  subtle: SubtleCrypto,
): Promise<Step> {
  const kept = keptHeads(shelf);
  const own = kept.filter(({ log }) => log === head.log);
  const [oldest, newest] = [own[0], own.at(-1)];
  if (!oldest || !newest) {
    if (kept.length > 0) {
      const text =
        'The log that this browser knew was another one: it was begun anew since, and what it held is gone from it.';
      return { title: TITLE, outcome: 'wrong', text };
    }
    return { title: TITLE, outcome: 'open', text: 'None yet: this browser keeps one from now on, for later checks.' };
  }
  for (const { n, hash, at } of new Set([oldest, newest])) {
    const [entry] = n <= head.n ? (await readLog(n - 1, 1)).items : [];
    if (entry && entry.record.n === n && (await recordHash(entry.record, subtle)) === hash) continue;
    return {
      title: TITLE,
      outcome: 'wrong',
      text: `The log was rewritten: record ${n}, seen on ${at.slice(0, 10)}, is not in it any more.`,
    };
  }
  const text = `The log still holds what this browser saw at record ${oldest.n} on ${oldest.at.slice(0, 10)}.`;
  return { title: TITLE, outcome: 'right', text };
}
