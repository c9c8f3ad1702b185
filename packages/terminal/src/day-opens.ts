// Today's open, high and low of every instrument, and the way its price went. There is no request for all at once, so they
// are fetched one by one, slowly and only from the upper half of the allowance; one request serves both. What came is kept
// with the tab, so that a reload asks for nothing again.
import type { Allowance, OhlcvBar, TickwireClient } from '@tickwire/client';
import type { Candle } from './chart/bar-series.ts';
import { mayFillIn } from './pace.ts';
import type { Day, QuoteBoard } from './quote-board.ts';
import { type Repetition, repeat } from './repeat.ts';
import { Trail, type TrailPoint } from './watchlist/trail.ts';

const NAME = 'tickwire.day';
const BETWEEN_REQUESTS_MS = 250;
const BETWEEN_LOOKS_MS = 5_000;
/** A catalogue may be long; past this many only the instruments that were charted show their change. */
const MOST = 100;
const TIMEFRAME = '15m';
/** A whole day and the bar that forms. */
const BARS = 97;
/** A trail kept with the tab that ends earlier than this is fetched anew. */
const FRESH_MS = 30 * 60_000;

/** Points seen here that make a line where the service has not been asked, or had nothing: about a minute. */
const ENOUGH = 12;

interface Kept {
  /** The UTC day, as in `2024-05-12`. */
  readonly date: string;
  /** When it was asked for. */
  readonly at: number;
  readonly day: Day | null;
  readonly trail: readonly TrailPoint[];
}

const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** null where no bar is of that day, or where the bars do not reach back to its start. `all`: there are no older ones. */
export function dayOf(candles: readonly Candle[], midnight: number, all: boolean): Day | null {
  const [oldest] = candles;
  if (!oldest || (oldest.time > midnight && !all)) return null;
  const today = candles.filter(({ time }) => time >= midnight);
  const [first] = today;
  if (!first) return null;
  const high = Math.max(...today.map((candle) => candle.high));
  return { open: first.open, high, low: Math.min(...today.map((candle) => candle.low)) };
}

/** Each bar as the moment it ended at; the one that forms has not, so it is left to the live prices. */
export function trailOf(bars: readonly OhlcvBar[], lengthMs: number, now: number): readonly TrailPoint[] {
  return bars
    .map(({ time, close }) => ({ time: Date.parse(time) + lengthMs, price: close }))
    .filter(({ time }) => time <= now);
}

export class DayOpens {
  readonly #board: QuoteBoard;
  readonly #client: TickwireClient;
  readonly #allowance: () => Allowance | null;
  readonly #repetition: Repetition;
  readonly #trails = new Map<string, Trail>();
  readonly #known = new Set<string>();
  readonly #end = new AbortController();
  #date = dateOf(Date.now());

  constructor(board: QuoteBoard, client: TickwireClient, allowance: () => Allowance | null) {
    this.#board = board;
    this.#client = client;
    this.#allowance = allowance;
    for (const { instrument } of board.rows) {
      this.#trails.set(instrument.symbol, new Trail());
      this.#restore(instrument.symbol);
    }
    board.onChange((changed) => this.#move(changed), this.#end.signal);
    this.#repetition = repeat(() => this.#fillIn(), BETWEEN_REQUESTS_MS);
  }

  /** The way of the price; empty until it is known, as a line of a few seconds would look like one of a day. */
  trail(symbol: string): readonly TrailPoint[] {
    const points = this.#trails.get(symbol)?.points ?? [];
    return this.#known.has(symbol) || points.length >= ENOUGH ? points : [];
  }

  /** The chart of an instrument mostly holds the day already: shown at once, before its turn comes. */
  learn(symbol: string, candles: readonly Candle[]): void {
    const row = this.#board.row(symbol);
    if (!row || row.day !== null) return;
    const day = dayOf(candles, Date.parse(this.#date), false);
    if (day !== null) this.#board.setDay(symbol, day);
  }

  stop(): void {
    this.#end.abort();
    this.#repetition.stop();
  }

  #move(changed: ReadonlySet<string>): void {
    const now = Date.now();
    for (const symbol of changed) {
      const row = this.#board.row(symbol);
      if (!row || row.bid === null || row.ask === null) continue;
      this.#trails.get(symbol)?.add(now, (row.bid + row.ask) / 2);
    }
  }

  async #fillIn(): Promise<number> {
    if (this.#date !== dateOf(Date.now())) this.#startOver();
    const rows = this.#board.rows.slice(0, MOST);
    // Without a quote there is no change to show, and quite likely no bar yet.
    const next = rows.find(({ instrument, bid }) => bid !== null && !this.#known.has(instrument.symbol));
    if (!next || !mayFillIn(this.#allowance())) return BETWEEN_LOOKS_MS;
    const { symbol } = next.instrument;
    const { signal } = this.#end;
    const date = this.#date;
    try {
      const { ohlcv } = await this.#client.market(symbol, { timeframe: TIMEFRAME, bars: BARS }, { signal });
      // Over midnight the answer is of the day before: it is asked for again.
      if (date === this.#date) this.#take(symbol, ohlcv);
    } catch {
      // Whatever is wrong shows in the panels that matter; this column can wait.
      return BETWEEN_LOOKS_MS;
    }
    return BETWEEN_REQUESTS_MS;
  }

  #take(symbol: string, bars: readonly OhlcvBar[]): void {
    const now = Date.now();
    const candles = bars.map(({ time, ...rest }) => ({ time: Date.parse(time), ...rest }));
    const day = dayOf(candles, Date.parse(this.#date), bars.length < BARS);
    const trail = trailOf(bars, 15 * 60_000, now);
    this.#show(symbol, day, trail);
    this.#keep(symbol, { date: this.#date, at: now, day, trail });
  }

  #show(symbol: string, day: Day | null, trail: readonly TrailPoint[]): void {
    this.#known.add(symbol);
    this.#board.setDay(symbol, day);
    this.#trails.get(symbol)?.seed(trail);
  }

  /** A new day has no open yet, whatever stood there. */
  #startOver(): void {
    this.#date = dateOf(Date.now());
    this.#known.clear();
    for (const { instrument } of this.#board.rows) this.#board.setDay(instrument.symbol, null);
  }

  #restore(symbol: string): void {
    try {
      const kept = JSON.parse(sessionStorage.getItem(`${NAME}.${symbol}`) ?? '') as Kept;
      if (kept.date === this.#date && Date.now() - kept.at < FRESH_MS) this.#show(symbol, kept.day, kept.trail);
    } catch {
      // Nothing kept yet, or not by this version: it is asked for.
    }
  }

  #keep(symbol: string, kept: Kept): void {
    try {
      sessionStorage.setItem(`${NAME}.${symbol}`, JSON.stringify(kept));
    } catch {
      // The tab's store is full: after a reload it is asked for again.
    }
  }
}
