// Pushed ticks as a feed: whoever has a key with the scope `ingest` is its source.
import { type IngestAnswer, type LineRefusal, MAX_LISTED_REFUSALS } from '@tickwire/contract';
import type { MarketSymbol, QuoteEvent, TradeEvent } from '@tickwire/engine';
import type { Intake } from '../../journal/intake.ts';
import type { Feed, FeedStatus } from '../feed.ts';
import { PushSides, readLine } from './lines.ts';

export interface PushFeedOptions {
  readonly symbols: readonly MarketSymbol[];
  readonly intake: Intake;
}

/** What became of a batch so far. */
export class Tally {
  accepted = 0;
  rejectedCount = 0;
  readonly rejected: IngestAnswer['rejected'] = [];

  reject(line: number, code: string, detail: string): void {
    this.rejectedCount++;
    if (this.rejected.length < MAX_LISTED_REFUSALS) this.rejected.push({ line, code: code as LineRefusal, detail });
  }

  answer(): IngestAnswer {
    const rejected = this.rejected.toSorted((a, b) => a.line - b.line);
    return { accepted: this.accepted, rejected, rejected_count: this.rejectedCount };
  }
}

export class PushFeed implements Feed {
  readonly #options: PushFeedOptions;
  readonly #symbols: ReadonlyMap<string, MarketSymbol>;
  readonly #sides = new PushSides();
  #state: FeedStatus['state'] = 'starting';
  #lastEventAt = 0;
  #refused = 0;
  readonly #lastOf = new Map<MarketSymbol, number>();

  constructor(options: PushFeedOptions) {
    this.#options = options;
    this.#symbols = new Map(options.symbols.map((symbol) => [symbol, symbol]));
  }

  /** The newest time any tick had: the clock of a market whose history is being pushed. */
  get lastEventAt(): number {
    return this.#lastEventAt;
  }

  /** Symbols with a tick since `time`. */
  activeSince(time: number): MarketSymbol[] {
    return [...this.#lastOf].filter(([, last]) => last >= time).map(([symbol]) => symbol);
  }

  /** Takes lines of text from an account; `first` is the number of the first one. Empty lines are passed over. */
  take(lines: readonly string[], first: number, publicId: string, tally: Tally): void {
    const events: (QuoteEvent | TradeEvent)[] = [];
    const numbers: number[] = [];
    for (let index = 0; index < lines.length; index++) {
      const text = lines[index]!;
      if (text === '' || text === '\r') continue;
      const parsed = readLine(text, first + index, (code) => this.#symbols.get(code), this.#sides);
      if ('code' in parsed) tally.reject(parsed.line, parsed.code, parsed.detail);
      else {
        events.push(parsed.event);
        numbers.push(parsed.line);
      }
    }
    let refused = 0;
    this.#options.intake.accept(events, `push:${publicId}`, (index, refusal, why) => {
      refused++;
      tally.reject(numbers[index]!, refusal, why);
    });
    tally.accepted += events.length - refused;
    this.#refused += refused;
    if (refused === events.length) return;
    for (const { symbol, time } of events) {
      if (time > this.#lastEventAt) this.#lastEventAt = time;
      this.#lastOf.set(symbol, time);
    }
  }

  start(): void {
    this.#state = 'live';
  }

  stop(): void {
    this.#state = 'stopped';
  }

  status(): FeedStatus {
    return {
      name: 'push',
      state: this.#state,
      lastEventAt: this.#lastEventAt,
      symbols: this.#options.symbols,
      connects: 0,
      disconnects: 0,
      duplicates: 0,
      backfilled: 0,
      gaps: 0,
      complaints: this.#refused,
      lastError: null,
    };
  }
}
