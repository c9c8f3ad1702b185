// What all pages of the signed-in terminal share: the client, who is signed in, all quotes live, and where to say things.
// One stream (all quotes) is always open; a page opens what else it needs. A Free key has two.

import {
  type Account,
  type Allowance,
  type AnswerInfo,
  type Instrument,
  type MarketTick,
  type Notice,
  type StateDetail,
  type Stream,
  type StreamHandlers,
  type StreamOptions,
  type StreamState,
  TickwireClient,
  TickwireError,
} from '@tickwire/client';
import { beat } from './beat.ts';
import { DayOpens } from './day-opens.ts';
import { IdleStreams } from './idle-streams.ts';
import { NewsWire } from './news/news-wire.ts';
import { SESSION_EVERY_MS } from './pace.ts';
import type { PageKind } from './page.ts';
import { Palette } from './palette/palette.ts';
import { QuoteBoard } from './quote-board.ts';
import { repeat } from './repeat.ts';
import { Router } from './router.ts';
import { SignalBook } from './signals/signal-book.ts';
import { StatusBar } from './status-bar.ts';

/** By then the terminal's own streams are counted among the clients. */
const FIRST_SESSION_MS = 1_000;
const AGE_EVERY_MS = 1_000;
/** By this side. */
const CLOSE_NORMAL = 1000;
const CLOSE_INVALID_KEY = 4401;

export type ListenedKind = 'market' | 'orderflow' | 'signals' | 'news' | 'bars';

export interface WorkspaceOptions {
  readonly url: string;
  /** null for a signed-in session. */
  readonly apiKey: string | null;
  readonly pages: readonly PageKind[];
  /** The session or the key is good: the first page is about to be shown. */
  readonly onOpening: () => void;
  /** The session or the key is no good any more, with the reason, or not wanted. */
  readonly onSignedOut: (reason?: unknown) => void;
}

export class Workspace {
  readonly client: TickwireClient;
  /** null for one who came with a key. */
  readonly account: Account | null;
  readonly instruments: readonly Instrument[];
  readonly board: QuoteBoard;
  readonly dayOpens: DayOpens;
  readonly status: StatusBar;
  readonly signals: SignalBook;
  readonly news: NewsWire;
  readonly router: Router;
  readonly #end = new AbortController();
  readonly #options: WorkspaceOptions;
  readonly #tickListeners = new Set<(tick: MarketTick) => void>();
  readonly #idle = new IdleStreams(document, this.#end.signal);

  /** Tries the key, or without one the session, with the request that is needed anyway. */
  static async open(options: WorkspaceOptions): Promise<Workspace> {
    const { url, apiKey } = options;
    const status = new StatusBar();
    const onAnswer = (info: AnswerInfo): void => status.answer(info);
    const client = new TickwireClient({ url, onAnswer, ...(apiKey !== null && { apiKey }) });
    // The question for the account renews the cookie of the session.
    const [{ items }, account] = await Promise.all([client.symbols(), apiKey === null ? client.account.get() : null]);
    return new Workspace(client, account, status, items, options);
  }

  private constructor(
    client: TickwireClient,
    account: Account | null,
    status: StatusBar,
    instruments: readonly Instrument[],
    options: WorkspaceOptions,
  ) {
    this.client = client;
    this.account = account;
    this.status = status;
    this.instruments = instruments;
    this.#options = options;
    options.onOpening();
    this.board = new QuoteBoard(instruments, (run) => beat.next(run));
    this.dayOpens = new DayOpens(this.board, client, this.allowance);
    this.signals = new SignalBook(this);
    this.news = new NewsWire(this);
    void this.#loadQuotes();
    this.listen(
      'market',
      { symbols: ['*'] },
      {
        onMessage: (tick) => {
          this.board.quote(tick);
          for (const listener of this.#tickListeners) listener(tick);
        },
      },
    );
    const ageing = setInterval(() => this.status.age(this.board.newestAgeMs), AGE_EVERY_MS);
    const session = repeat(() => this.#refreshSession(), FIRST_SESSION_MS);
    this.signal.addEventListener('abort', () => {
      session.stop();
      clearInterval(ageing);
      this.dayOpens.stop();
    });
    this.router = new Router(this, options.pages);
    new Palette(this);
  }

  /** Every tick of every instrument; for what must not miss one. */
  onTick(signal: AbortSignal, listener: (tick: MarketTick) => void): void {
    this.#tickListeners.add(listener);
    signal.addEventListener('abort', () => this.#tickListeners.delete(listener));
  }

  /** Aborted when the terminal is left. */
  get signal(): AbortSignal {
    return this.#end.signal;
  }

  /** Who signed in has ten streams; a key may have two. */
  get signedIn(): boolean {
    return this.account !== null;
  }

  readonly allowance = (): Allowance | null => this.status.allowance;

  close(): void {
    this.#end.abort();
  }

  signedOut(reason?: unknown): void {
    this.#options.onSignedOut(reason);
  }

  /** A stream whose state stands in the status bar; closed with the workspace, or with `signal`. */
  listen<K extends ListenedKind>(
    kind: K,
    options: StreamOptions<K>,
    handlers: StreamHandlers<K>,
    signal?: AbortSignal,
  ): Stream<K> {
    const gone = new AbortController();
    const stream = this.client.stream<K>(kind, options, {
      ...handlers,
      onState: (state: StreamState, detail: StateDetail) => {
        // What is let go of, by the page or while nobody looks, is no fault of the connection.
        if (detail.end?.code === CLOSE_NORMAL) this.status.without(kind);
        else this.status.stream(kind, state, detail);
        if (state === 'closed') gone.abort();
        handlers.onState?.(state, detail);
        if (detail.end?.code === CLOSE_INVALID_KEY && !this.signal.aborted) this.#refused(detail.end.reason);
      },
      onNotice: (notice: Notice) => {
        if (notice.event === 'error') this.status.say(notice.message);
        if (notice.event === 'subscribed' && notice.source === 'simulated') this.status.simulated();
        handlers.onNotice?.(notice);
      },
    });
    for (const end of [this.signal, ...(signal ? [signal] : [])])
      end.addEventListener('abort', () => stream.close(), { signal: gone.signal });
    // The prices stand in the title of the tab, which is seen all the time.
    if (kind !== 'market') this.#idle.add(stream, gone.signal);
    return stream;
  }

  /** Says what went wrong; a session that has ended is left. */
  failed(error: unknown, what: string): void {
    if (this.signal.aborted) return;
    if (!(error instanceof TickwireError)) throw error;
    if (error.status === 401) {
      this.signedOut(error);
      return;
    }
    const again = error.retryAfterSeconds === null ? '' : ` Again in ${error.retryAfterSeconds} s.`;
    this.status.say(`${what}: ${error.detail}${again}`);
  }

  #refused(reason: string): void {
    const code = this.signedIn ? 'invalid_session' : 'invalid_key';
    this.signedOut(new TickwireError({ status: 401, code, detail: reason }));
  }

  async #loadQuotes(): Promise<void> {
    try {
      const { items } = await this.client.quotes();
      // A tick that came meanwhile is newer than this answer.
      for (const quote of items) if (this.board.row(quote.symbol)?.bid === null) this.board.quote(quote);
    } catch (error) {
      this.failed(error, 'Quotes');
    }
  }

  async #refreshSession(): Promise<number> {
    try {
      const statistics = await this.client.session();
      this.board.setServiceTime(Date.parse(statistics.server_time));
      this.status.session(statistics);
    } catch (error) {
      this.failed(error, 'Session');
      if (error instanceof TickwireError && error.retryAfterSeconds !== null) return error.retryAfterSeconds * 1_000;
    }
    return SESSION_EVERY_MS;
  }
}
