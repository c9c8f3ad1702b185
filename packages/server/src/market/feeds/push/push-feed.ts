// Ticks pushed by clients with an API key of scope `ingest`.
import type { IngestAnswer } from '@tickwire/contract';
import { type MarketSymbol, type PriceEvent, SymbolIndex } from '@tickwire/engine';
import { LineTally } from '../../../http/line-tally.ts';
import { heldDetail, type Intake } from '../../intake.ts';
import type { HeldEvent } from '../../spike-filter.ts';
import type { Feed, FeedStatus } from '../feed.ts';
import { PushSideInference, parseTickLine } from './push-lines.ts';

export interface PushFeedOptions {
  /** The list may grow. */
  readonly instruments: readonly { readonly symbol: MarketSymbol }[];
  readonly intake: Intake;
}

/** Ticks may be held until another one confirms their price. */
export class TickTally extends LineTally {
  readonly #held: { readonly line: number; readonly held: HeldEvent }[] = [];

  hold(line: number, held: HeldEvent): void {
    this.#held.push({ line, held });
  }

  /** A line that is still held counts as rejected. */
  override result(): IngestAnswer {
    for (const { line, held } of this.#held.splice(0)) {
      if (held.outcome === 'released') this.accepted++;
      else this.reject(line, 'spike', heldDetail(held));
    }
    return super.result();
  }
}

export class PushFeed implements Feed {
  readonly #options: PushFeedOptions;
  readonly #symbols: SymbolIndex;
  readonly #sides = new PushSideInference();
  #state: FeedStatus['state'] = 'starting';
  #lastEventAt = 0;
  #refused = 0;
  readonly #lastTimes = new Map<MarketSymbol, number>();

  constructor(options: PushFeedOptions) {
    this.#options = options;
    this.#symbols = new SymbolIndex(options.instruments);
  }

  /** The newest time of any tick: the clock of the market while history is pushed. */
  get lastEventAt(): number {
    return this.#lastEventAt;
  }

  /** Symbols with a tick since `time`. */
  activeSince(time: number): MarketSymbol[] {
    return [...this.#lastTimes].filter(([, last]) => last >= time).map(([symbol]) => symbol);
  }

  /** Takes lines of an account; `first` is the number of the first one. Empty lines are skipped. */
  take(lines: readonly string[], first: number, publicId: string, tally: TickTally): void {
    const events: PriceEvent[] = [];
    const numbers: number[] = [];
    for (let index = 0; index < lines.length; index++) {
      const text = lines[index]!;
      if (text === '' || text === '\r') continue;
      const parsed = parseTickLine(text, first + index, (code) => this.#symbols.resolve(code), this.#sides);
      if ('code' in parsed) tally.reject(parsed.line, parsed.code, parsed.detail);
      else {
        events.push(parsed.event);
        numbers.push(parsed.line);
      }
    }
    let [refused, waiting] = [0, 0];
    this.#options.intake.accept(events, `push:${publicId}`, {
      refused(index, refusal, detail) {
        refused++;
        tally.reject(numbers[index]!, refusal, detail);
      },
      held(index, held) {
        waiting++;
        tally.hold(numbers[index]!, held);
      },
    });
    const accepted = events.length - refused - waiting;
    tally.accepted += accepted;
    this.#refused += refused;
    if (accepted === 0) return;
    for (const { symbol, time } of events) {
      if (time > this.#lastEventAt) this.#lastEventAt = time;
      this.#lastTimes.set(symbol, time);
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
      symbols: this.#options.instruments.map(({ symbol }) => symbol),
      connects: 0,
      disconnects: 0,
      duplicates: 0,
      backfilled: 0,
      gaps: 0,
      invalidMessages: this.#refused,
      lastError: null,
    };
  }
}
