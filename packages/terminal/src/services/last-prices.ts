// The last prices of the session, kept in the browser so that a page that is opened offline can show them. They belong to one
// account and are forgotten when it signs out.
import { readRecord, storeRecord } from '../ui/stored-record.ts';
import type { QuoteBoard } from './quote-board.ts';

const NAME = 'tickwire.last-prices';
const KEEP_EVERY_MS = 10_000;

export interface LastPrice {
  readonly symbol: string;
  readonly name: string;
  readonly digits: number;
  readonly bid: number;
  readonly ask: number;
}

export interface LastPrices {
  /** Time of the newest of them, milliseconds since the epoch. */
  readonly at: number;
  readonly prices: readonly LastPrice[];
}

type KeptStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
type Board = Pick<QuoteBoard, 'rows' | 'newestAgeMs'>;

/** `null` if there are none. */
export function readLastPrices(storage: KeptStorage): LastPrices | null {
  const { at, prices } = readRecord(storage, NAME);
  if (typeof at !== 'number' || !Array.isArray(prices)) return null;
  const read = prices.filter(isPrice);
  return read.length === 0 ? null : { at, prices: read };
}

export const forgetLastPrices = (storage: KeptStorage): void => storage.removeItem(NAME);

export function storeLastPrices(storage: KeptStorage, owner: string, board: Board, now: number): void {
  const { newestAgeMs } = board;
  if (newestAgeMs === null) return;
  const prices = board.rows.flatMap(({ instrument: { symbol, name }, digits, bid, ask }) =>
    bid === null || ask === null ? [] : [{ symbol, name, digits, bid, ask }],
  );
  storeRecord(storage, NAME, { owner, at: now - newestAgeMs, prices });
}

/** Keeps the prices of the board until the signal is aborted. `owner`: whose session it is. */
export function keepLastPrices(storage: KeptStorage, owner: string, board: Board, signal: AbortSignal): void {
  // Prices of another account do not stay until the first of this one.
  if (readRecord(storage, NAME).owner !== owner) forgetLastPrices(storage);
  const keep = (): void => storeLastPrices(storage, owner, board, Date.now());
  const timer = setInterval(keep, KEEP_EVERY_MS);
  addEventListener('pagehide', keep, { signal });
  signal.addEventListener('abort', () => clearInterval(timer));
}

function isPrice(value: unknown): value is LastPrice {
  const { symbol, name, digits, bid, ask } = Object(value);
  return [symbol, name].every((text) => typeof text === 'string') && [digits, bid, ask].every(Number.isFinite);
}
