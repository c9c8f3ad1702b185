// Seals days of the tape: the ticks that signals were judged by are written to a file that outlives the tape, and the
// hash of its content to the signal log.
import type { TapeSeal } from '@tickwire/contract';
import { DAY_MS, type MarketSymbol, MINUTE_MS } from '@tickwire/engine';
import type { Log } from '../ops/log.ts';
import { toStoreError } from '../store/sqlite/errors.ts';
import type { Store } from '../store/store.ts';
import { placeOf } from '../store/tape-rows.ts';
import { evidencePath, writeEvidence } from './verify/evidence-file.ts';
import { damagedBlockOf, hasTapeDay, type ReadBlocks, readTapeDay } from './verify/read-tape-day.ts';

/** Late ticks arrive within this time after the end of the day. */
export const LATE_MS = 15 * MINUTE_MS;

export type SealedDay = Pick<TapeSeal, 'day' | 'ticks' | 'sha256'> & { readonly symbol: MarketSymbol };

export interface SealOptions {
  readonly store: Pick<Store, 'market' | 'signals'>;
  /** Folder of the realm. */
  readonly folder: string;
  readonly now: number;
  readonly log: Log;
  /** Days already reported as missing. Pass the same set to each call, so that each day is logged once. */
  readonly missingDays: Set<string>;
  /** Checked before each day. Default: never. */
  readonly isStopped?: () => boolean;
  /** Appends the seal to the log. The file already exists. */
  readonly seal: (sealed: SealedDay) => Promise<void>;
}

/** Seals the days that are over and not sealed yet; returns how many. */
export async function sealTapeDays(options: SealOptions): Promise<number> {
  const { store, folder, now, log, missingDays, isStopped, seal } = options;
  const read: ReadBlocks = (symbol, from, to) => store.market.tapeOf(symbol, from, to);
  let sealed = 0;
  for (const { day, symbol } of await store.signals.unsealed(now)) {
    if (isStopped?.()) break;
    if (Date.parse(day) + DAY_MS + LATE_MS >= now || missingDays.has(`${day} ${symbol}`)) continue;
    if (await hasLostTape(store, read, day, symbol)) {
      missingDays.add(`${day} ${symbol}`);
      log.warn('the tape of a day that signals were judged by is missing: the day cannot be sealed', { day, symbol });
      continue;
    }
    const damaged = await damagedBlockOf(read, symbol, day);
    if (damaged) {
      missingDays.add(`${day} ${symbol}`);
      log.error('a day of the tape is damaged and cannot be sealed: restore its file from a backup', {
        ...placeOf(damaged),
        day,
        symbol,
      });
      continue;
    }
    const path = evidencePath(folder, day, symbol);
    const content = await writeEvidence(path, readTapeDay(read, symbol, day)).catch((error) => {
      throw toStoreError(path, error);
    });
    await seal({ day, symbol, ...content });
    sealed++;
  }
  return sealed;
}

/** A day without ticks is empty, like a Saturday, unless it has bars: bars outlive the tape. */
async function hasLostTape(
  store: SealOptions['store'],
  read: ReadBlocks,
  day: string,
  symbol: MarketSymbol,
): Promise<boolean> {
  if (await hasTapeDay(read, symbol, day)) return false;
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
