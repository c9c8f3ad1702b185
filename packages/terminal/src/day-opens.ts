// Today's open of every instrument, for the day's change. There is no request for all at once, so they are fetched one
// by one, slowly and only from the upper half of the allowance, and kept with the tab: an open does not change.
import type { Allowance, TickwireClient } from '@tickwire/client';
import { type Candle, openOfDay } from './chart/bar-series.ts';
import { mayFillIn } from './pace.ts';
import type { QuoteBoard } from './quote-board.ts';
import { type Repetition, repeat } from './repeat.ts';

const NAME = 'tickwire.day-opens';
const BETWEEN_REQUESTS_MS = 1_000;
const BETWEEN_LOOKS_MS = 5_000;
/** A catalogue may be long; past this many only the instruments that were charted show their change. */
const MOST = 100;

interface Kept {
  /** The UTC day, as in `2024-05-12`. */
  readonly date: string;
  /** null where the instrument has no bar today. */
  readonly opens: Record<string, number | null>;
}

const today = (): string => new Date().toISOString().slice(0, 10);

function read(): Kept {
  try {
    const kept = JSON.parse(sessionStorage.getItem(NAME) ?? '') as Kept;
    if (kept.date === today()) return kept;
  } catch {
    // Nothing kept yet, or not by this version: start over.
  }
  return { date: today(), opens: {} };
}

export class DayOpens {
  readonly #board: QuoteBoard;
  readonly #client: TickwireClient;
  readonly #allowance: () => Allowance | null;
  readonly #repetition: Repetition;
  #kept = read();

  constructor(board: QuoteBoard, client: TickwireClient, allowance: () => Allowance | null) {
    this.#board = board;
    this.#client = client;
    this.#allowance = allowance;
    for (const [symbol, open] of Object.entries(this.#kept.opens)) board.dayOpen(symbol, open);
    this.#repetition = repeat(() => this.#fillIn(), BETWEEN_REQUESTS_MS);
  }

  /** The chart of an instrument mostly holds the open already: no request needed. */
  learn(symbol: string, candles: readonly Candle[]): void {
    if (symbol in this.#kept.opens) return;
    const open = openOfDay(candles, Date.parse(this.#kept.date));
    if (open !== null) this.#keep(symbol, open);
  }

  stop(): void {
    this.#repetition.stop();
  }

  async #fillIn(): Promise<number> {
    if (this.#kept.date !== today()) this.#startOver();
    const rows = this.#board.rows.slice(0, MOST);
    // Without a quote there is no change to show, and quite likely no bar yet.
    const next = rows.find(({ instrument, bid }) => bid !== null && !(instrument.symbol in this.#kept.opens));
    if (!next || !mayFillIn(this.#allowance())) return BETWEEN_LOOKS_MS;
    const { symbol } = next.instrument;
    const { date } = this.#kept;
    try {
      const { ohlcv } = await this.#client.market(symbol, { timeframe: '1d', bars: 1 });
      const bar = ohlcv.at(-1);
      // The last bar of a market closed today is an earlier day's: no change to show.
      if (date === this.#kept.date) this.#keep(symbol, bar?.time.startsWith(date) ? bar.open : null);
    } catch {
      // Whatever is wrong shows in the panels that matter; this column can wait.
      return BETWEEN_LOOKS_MS;
    }
    return BETWEEN_REQUESTS_MS;
  }

  #startOver(): void {
    this.#kept = read();
    for (const { instrument } of this.#board.rows) this.#board.dayOpen(instrument.symbol, null);
  }

  #keep(symbol: string, open: number | null): void {
    this.#kept.opens[symbol] = open;
    this.#board.dayOpen(symbol, open);
    sessionStorage.setItem(NAME, JSON.stringify(this.#kept));
  }
}
