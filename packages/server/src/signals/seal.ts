// Seals days of the tape: the ticks that signals were judged by go into a file of their own, which outlives the tape, and
// the hash of its content into the log.
import type { TapeSeal } from '@tickwire/contract';
import type { MarketSymbol } from '@tickwire/engine';
import type { Log } from '../ops/log.ts';
import { explain } from '../store/sqlite/database.ts';
import type { Store } from '../store/store.ts';
import { dayOfTape, hasTape, type ReadBlocks } from './verify/day-of-tape.ts';
import { evidencePath, writeEvidence } from './verify/evidence-file.ts';

const DAY_MS = 86_400_000;
/** What comes late comes within this of the day's end. */
const LATE_MS = 900_000;

export type SealedDay = Pick<TapeSeal, 'day' | 'ticks' | 'sha256'> & { readonly symbol: MarketSymbol };

export interface SealOptions {
  readonly store: Pick<Store, 'market' | 'signals'>;
  /** Of the realm. */
  readonly folder: string;
  readonly now: number;
  readonly log: Log;
  /** Days that were found gone, and told: the same set at each call, so that each is told once. */
  readonly gone: Set<string>;
  /** Puts the seal in the log. The file is there already. */
  readonly seal: (sealed: SealedDay) => Promise<void>;
}

/** Seals what is over and not sealed yet; returns how many. */
export async function sealDays({ store, folder, now, log, gone, seal }: SealOptions): Promise<number> {
  const read: ReadBlocks = (symbol, from, to) => store.market.tapeOf(symbol, from, to);
  let sealed = 0;
  for (const { day, symbol } of await store.signals.unsealed(now)) {
    if (Date.parse(day) + DAY_MS + LATE_MS >= now || gone.has(`${day} ${symbol}`)) continue;
    if (await isGone(store, read, day, symbol)) {
      gone.add(`${day} ${symbol}`);
      log.warn('the tape of a day that signals were judged by is gone: it cannot be sealed', { day, symbol });
      continue;
    }
    const path = evidencePath(folder, day, symbol);
    const content = await writeEvidence(path, dayOfTape(read, symbol, day)).catch((error) => {
      throw explain(path, error);
    });
    await seal({ day, symbol, ...content });
    sealed++;
  }
  return sealed;
}

/** A day without ticks is empty, as a Saturday is, unless there are bars of it: they outlive the tape. */
async function isGone(
  store: SealOptions['store'],
  read: ReadBlocks,
  day: string,
  symbol: MarketSymbol,
): Promise<boolean> {
  if (await hasTape(read, symbol, day)) return false;
  const from = Date.parse(day);
  const bars = await store.market.bars({
    symbol,
    timeframe: '1m',
    from,
    to: from + DAY_MS - 1,
    limit: 1,
    first: 'oldest',
  });
  return bars.length > 0;
}
