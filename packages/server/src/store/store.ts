// What must outlive the process, behind one interface. SQLite implements it here; another database passes the same suite
// (store.contract.ts) or is not one. Times are integer milliseconds.
import type { Timeframe } from '@tickwire/contract';
import type { Bar, EpochMs, MarketSymbol, QuoteEvent, TradeEvent } from '@tickwire/engine';
import type { AccountStore } from './account-records.ts';
import type { NewsStore } from './news-store.ts';
import type { SignalStore } from './signal-store.ts';

/** The store cannot do its work now: locked, full, corrupt, away. The message says which and what to do. */
export class StoreError extends Error {
  override name = 'StoreError';
}

/** Another has taken over the writing: whoever is refused with this writes nothing more. */
export class FencedError extends StoreError {
  override name = 'FencedError';
}

export interface Account {
  readonly id: number;
  /** Names the account to others for ever: in the signal log, as the source of a tick. */
  readonly publicId: string;
  /** Unique among all names ever given, whatever their case. */
  readonly name: string;
  readonly tier: string;
  readonly createdAt: number;
  /** Runs the service; there is one at most. */
  readonly owner: boolean;
  /** Has a password. */
  readonly signsIn: boolean;
  readonly disabledAt: number | null;
  /** Its name is its public id from then on. */
  readonly deletedAt: number | null;
}

export interface KeyRecord {
  /** Public id: the part of the key that may be shown. */
  readonly id: string;
  readonly accountId: number;
  readonly name: string;
  readonly hash: Uint8Array;
  readonly scopes: readonly string[];
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  readonly lastUsedAt: number | null;
}

/** What an account has used of its allowances. */
export interface UsageRecord {
  readonly accountId: number;
  /** Times of the REST requests that still count, ascending; −n after a time stands for n more of about that time. */
  readonly requests: readonly number[];
  /** UTC day (ms of its midnight) and the AI calls answered on it. */
  readonly aiDay: number;
  readonly aiCalls: number;
}

export interface AuditEntry {
  readonly at: number;
  /** Who did it: a key id, the public id of a signed-in account, or `command line`. */
  readonly actor: string;
  readonly act: string;
  readonly subject: string;
}

/** The answer to a request with an idempotency key, kept for whoever repeats it. */
export interface RememberedAnswer {
  readonly accountId: number;
  readonly key: string;
  readonly bodyHash: Uint8Array;
  readonly answer: string;
  readonly at: number;
}

export interface AccessStore extends AccountStore {
  createAccount(name: string, tier: string, at: number): Promise<Account>;
  accounts(): Promise<Account[]>;
  setTier(accountId: number, tier: string): Promise<void>;
  rename(accountId: number, name: string, at: number): Promise<void>;
  addKey(key: KeyRecord): Promise<void>;
  keys(): Promise<KeyRecord[]>;
  revokeKey(id: string, at: number): Promise<void>;
  setKeyExpiry(id: string, at: number): Promise<void>;
  saveUsed(uses: readonly { readonly id: string; readonly at: number }[]): Promise<void>;
  usage(): Promise<UsageRecord[]>;
  /** AI calls that are already counted stay as they are: only `takeAiCall` counts them. */
  saveUsage(records: readonly UsageRecord[]): Promise<void>;
  /**
   * Counts one AI call of the UTC day (ms of its midnight) and gives how many that makes; null, and nothing counted, where
   * the day's limit is reached. Committed when it resolves, and exact whoever else takes one at the same time.
   */
  takeAiCall(accountId: number, day: number, limit: number): Promise<number | null>;
  /** The answer given to this key since `since`, if any. */
  answered(accountId: number, key: string, since: number): Promise<RememberedAnswer | undefined>;
  remember(answer: RememberedAnswer): Promise<void>;
  /** Forgets answers from before `time`. */
  forgetAnswers(time: number): Promise<void>;
  audit(entry: AuditEntry): Promise<void>;
  auditLog(limit: number): Promise<AuditEntry[]>;
  /** A number that changes, within a second at the latest, when another process has written; it may when this one has. */
  version(): number;
}

export interface BarRow extends Bar {
  readonly symbol: MarketSymbol;
  readonly timeframe: Timeframe;
}

/** Bars of one symbol in one timeframe, ascending. */
export interface StoredSeries {
  readonly symbol: MarketSymbol;
  readonly timeframe: Timeframe;
  readonly bars: Bar[];
}

/** The last state of an instrument that no recent tape may hold, such as over a weekend. */
export interface LastPrices {
  readonly symbol: MarketSymbol;
  readonly quote: QuoteEvent | null;
  readonly trade: TradeEvent | null;
}

export interface BarRange {
  readonly symbol: MarketSymbol;
  readonly timeframe: Timeframe;
  /** Both inclusive, on the start of the bar. */
  readonly from: number;
  readonly to: number;
  readonly limit: number;
  /** Which end the limit counts from. */
  readonly first: 'oldest' | 'newest';
}

/** What one flush writes, all of it or nothing of it. */
export interface MarketWrite {
  readonly bars: readonly BarRow[];
  readonly prices: readonly LastPrices[];
  /** Every bar that ended by then is stored. */
  readonly barsUntil: number;
  /** Symbols whose sources were connected without a break over a stretch. */
  readonly watched?: readonly Watched[];
}

export interface Watched {
  readonly symbols: readonly MarketSymbol[];
  readonly from: number;
  readonly to: number;
}

/** What an import writes at once, all of it or nothing of it; the ticks it is made of follow. */
export interface ImportedWrite {
  readonly bars: readonly BarRow[];
  readonly prices: readonly LastPrices[];
  readonly numbers: Readonly<Record<string, number>>;
  /** UTC days (2014-05-01) whose tape is imported: pruning passes them over. */
  readonly days: readonly string[];
  /** Stretches that are covered without a gap; they join those they touch. */
  readonly watched: readonly Watched[];
}

export interface TapeRecord {
  readonly seq: number;
  readonly event: QuoteEvent | TradeEvent;
  /** Who sent it; '' on tapes from before sources were kept. */
  readonly source: string;
}

/** Ticks of one symbol in one minute. A minute has one block, or several where it is long or some came late. */
export interface TapeBlock {
  readonly symbol: MarketSymbol;
  /** Start of the minute. */
  readonly minute: EpochMs;
  /** `seq` of its first record; names the block within the minute. */
  readonly firstSeq: number;
  readonly count: number;
  /** Traded volume by the taker's side. */
  readonly bidVolume: number;
  readonly askVolume: number;
  readonly bytes: Uint8Array;
}

export interface MarketStore {
  /** The newest `limit` bars of each of the symbols in every timeframe, ascending. */
  recentBars(symbols: readonly MarketSymbol[], limit: number): Promise<StoredSeries[]>;
  bars(range: BarRange): Promise<Bar[]>;
  lastPrices(): Promise<LastPrices[]>;
  /** Stretches within the range in which the symbol's source was connected, ascending. */
  watched(symbol: MarketSymbol, from: number, to: number): Promise<{ from: number; to: number }[]>;
  write(write: MarketWrite): Promise<void>;
  /** Replaces the blocks of the same symbol, minute and first seq. */
  writeTape(blocks: readonly TapeBlock[]): Promise<void>;
  /** What was written to the tape so far survives a power cut, not only the death of the process, once this resolves. */
  syncTape(): Promise<void>;
  /** Blocks of the minutes from `from` on, of all symbols. */
  tape(from: number): Promise<TapeBlock[]>;
  /** Blocks of one symbol, of the minutes from `from` (inclusive) to `to` (exclusive). */
  tapeOf(symbol: MarketSymbol, from: number, to: number): Promise<TapeBlock[]>;
  /** Puts the blocks in place of everything their symbols have in their minutes. A day's are written all or not at all. */
  replaceTape(blocks: readonly TapeBlock[]): Promise<void>;
  writeImported(write: ImportedWrite): Promise<void>;
  /** Traded volume by side over the minutes from `from` (inclusive) to `to` (exclusive), added up from the tape. */
  flow(from: number, to: number): Promise<Map<MarketSymbol, { bidVolume: number; askVolume: number }>>;
  /**
   * Drops whole days of the tape that ended before `time`; returns how many. Imported days stay, and days by which a signal
   * was or is being judged until they are sealed.
   */
  pruneTape(time: number): Promise<number>;
  number(name: string): Promise<number | undefined>;
  setNumber(name: string, value: number): Promise<void>;
  /** Start of the first minute made of trades, or of the first longer bar where there is none; undefined without either. */
  firstTradeBar(symbol: MarketSymbol): Promise<number | undefined>;
}

export interface Store {
  readonly access: AccessStore;
  readonly market: MarketStore;
  readonly signals: SignalStore;
  readonly news: NewsStore;
  /**
   * From now on only who has this token, or a higher one, writes market data, signals and news: an ingest that was taken over
   * from while it stood still is refused. Where one process has the store to itself, nothing needs to be refused.
   */
  fence?(token: number): Promise<void>;
  /** Whether a store that is elsewhere answers at this moment. */
  reachable?(): boolean;
  /** A consistent copy into an empty folder while the service runs; returns the files written. */
  backup(folder: string): Promise<string[]>;
  close(): Promise<void>;
}
