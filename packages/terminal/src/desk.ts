// The signed-in terminal on one page: every part is made here, handed what it needs, and stopped in the end.
// Two streams (all quotes; order flow of the selected instrument) and a few requests a minute: a Free key is enough.
import {
  type Allowance,
  type Instrument,
  type MarketTick,
  type Notice,
  type OrderFlowTick,
  type StateDetail,
  type Stream,
  type StreamState,
  TickwireClient,
  TickwireError,
} from '@tickwire/client';
import { putSymbolInAddress, symbolInAddress } from './address.ts';
import type { BarSeries } from './chart/bar-series.ts';
import { CandleChart } from './chart/candle-chart.ts';
import { History } from './chart/history.ts';
import { Timeframes } from './chart/timeframes.ts';
import { DayOpens } from './day-opens.ts';
import { FlowPanel } from './flow/flow-panel.ts';
import { InstrumentHead } from './instrument-head.ts';
import { SESSION_EVERY_MS } from './pace.ts';
import { QuoteBoard } from './quote-board.ts';
import { type Repetition, repeat } from './repeat.ts';
import { StatusBar } from './status-bar.ts';
import { Watchlist } from './watchlist/watchlist.ts';

/** By then the terminal's own streams are counted among the clients. */
const FIRST_SESSION_MS = 1_000;
const CLOSE_INVALID_KEY = 4401;
/** A last trade older than this no longer says where the forming bar stands; the bid does. */
const TRADE_FRESH_MS = 60_000;

export class Desk {
  readonly #end = new AbortController();
  readonly #head = new InstrumentHead();
  readonly #flow = new FlowPanel(this.#end.signal);
  readonly #chart = new CandleChart(this.#end.signal);
  readonly #timeframes = new Timeframes(() => this.#openChart());
  readonly #client: TickwireClient;
  readonly #status: StatusBar;
  readonly #board: QuoteBoard;
  readonly #watchlist: Watchlist;
  readonly #history: History;
  readonly #dayOpens: DayOpens;
  readonly #session: Repetition;
  readonly #marketStream: Stream<'market'>;
  readonly #onRefused: (error: TickwireError) => void;
  #flowStream: Stream<'orderflow'> | null = null;
  #selected = '';
  #lastTradeMs = 0;

  /** Tries the key with the request that is needed anyway. */
  static async open(url: string, apiKey: string, onRefused: (error: TickwireError) => void): Promise<Desk> {
    const status = new StatusBar();
    const client = new TickwireClient({ url, apiKey, onAnswer: (info) => status.answer(info) });
    const { items } = await client.symbols();
    return new Desk(client, status, items, onRefused);
  }

  private constructor(
    client: TickwireClient,
    status: StatusBar,
    instruments: readonly Instrument[],
    onRefused: (error: TickwireError) => void,
  ) {
    const allowance = (): Allowance | null => status.allowance;
    this.#client = client;
    this.#status = status;
    this.#onRefused = onRefused;
    this.#board = new QuoteBoard(instruments, (run) => requestAnimationFrame(run));
    this.#history = new History(client, allowance, {
      onBars: (series) => this.#showBars(series),
      onFailure: (error) => this.#failed(error, 'Chart'),
    });
    this.#watchlist = new Watchlist(this.#board, this.#end.signal, (symbol) => this.#select(symbol));
    this.#board.onChange((changed) => {
      if (changed.has(this.#selected)) this.#showHead();
    });
    void this.#loadQuotes();
    this.#marketStream = client.stream(
      'market',
      { symbols: ['*'] },
      this.#handlers('market', (tick) => this.#tick(tick)),
    );
    this.#dayOpens = new DayOpens(this.#board, client, allowance);
    this.#session = repeat(() => this.#refreshSession(), FIRST_SESSION_MS);
    const first = this.#board.row(symbolInAddress(location.hash)) ?? this.#board.rows[0];
    if (first) this.#watchlist.select(first.instrument.symbol);
    const { signal } = this.#end;
    addEventListener('hashchange', () => this.#watchlist.select(symbolInAddress(location.hash)), { signal });
  }

  close(): void {
    this.#end.abort();
    this.#marketStream.close();
    this.#flowStream?.close();
    this.#history.close();
    this.#dayOpens.stop();
    this.#session.stop();
  }

  #handlers<M>(channel: 'market' | 'orderflow', onMessage: (message: M) => void) {
    return {
      onMessage,
      onState: (state: StreamState, detail: StateDetail) => {
        this.#status.stream(channel, state, detail);
        if (detail.end?.code !== CLOSE_INVALID_KEY) return;
        this.#onRefused(new TickwireError({ status: 401, code: 'invalid_key', detail: detail.end.reason }));
      },
      onNotice: (notice: Notice) => {
        if (notice.event === 'error') this.#status.say(notice.message);
        if (notice.event === 'subscribed' && notice.source === 'simulated') this.#status.simulated();
      },
    };
  }

  #select(symbol: string): void {
    this.#selected = symbol;
    this.#lastTradeMs = 0;
    putSymbolInAddress(symbol);
    this.#showHead();
    this.#flow.begin();
    if (this.#flowStream) this.#flowStream.setSymbols([symbol]);
    else {
      const handlers = this.#handlers('orderflow', (tick: OrderFlowTick) => this.#flowTick(tick));
      this.#flowStream = this.#client.stream('orderflow', { symbols: [symbol] }, handlers);
    }
    this.#openChart();
  }

  #openChart(): void {
    const digits = this.#board.row(this.#selected)?.digits ?? 2;
    this.#chart.begin(this.#selected, this.#timeframes.chosen, digits);
    this.#history.open(this.#selected, this.#timeframes.chosen);
  }

  #showBars(series: BarSeries): void {
    this.#chart.show(series, this.#board.row(this.#selected)?.digits ?? 2);
    this.#dayOpens.learn(this.#selected, series.candles);
  }

  #showHead(): void {
    const row = this.#board.row(this.#selected);
    if (row) this.#head.show(row);
  }

  #tick(tick: MarketTick): void {
    this.#board.quote(tick);
    if (tick.symbol !== this.#selected) return;
    // Bars are made of trades where there are any; only without them does the bid move the chart.
    if (tick.time * 1_000 - this.#lastTradeMs > TRADE_FRESH_MS)
      this.#history.move(tick.bid, tick.time * 1_000, tick.volume);
  }

  #flowTick(tick: OrderFlowTick): void {
    // The last messages of the instrument before may still be under way.
    if (tick.symbol !== this.#selected) return;
    this.#lastTradeMs = tick.time * 1_000;
    this.#flow.show(tick);
    this.#history.move(tick.price, tick.time * 1_000, tick.bid_volume + tick.ask_volume);
  }

  async #loadQuotes(): Promise<void> {
    try {
      const { items } = await this.#client.quotes();
      // A tick that came meanwhile is newer than this answer.
      for (const quote of items) if (this.#board.row(quote.symbol)?.bid === null) this.#board.quote(quote);
    } catch (error) {
      this.#failed(error, 'Quotes');
    }
  }

  async #refreshSession(): Promise<number> {
    try {
      this.#status.session(await this.#client.session());
    } catch (error) {
      this.#failed(error, 'Session');
      if (error instanceof TickwireError && error.retryAfterSeconds !== null) return error.retryAfterSeconds * 1_000;
    }
    return SESSION_EVERY_MS;
  }

  #failed(error: unknown, what: string): void {
    if (this.#end.signal.aborted) return;
    if (!(error instanceof TickwireError)) throw error;
    if (error.status === 401) {
      this.#onRefused(error);
      return;
    }
    const again = error.retryAfterSeconds === null ? '' : ` Again in ${error.retryAfterSeconds} s.`;
    this.#status.say(`${what}: ${error.detail}${again}`);
    if (what === 'Chart' && this.#chart.empty) this.#chart.say(`${error.detail}${again}`);
  }
}
