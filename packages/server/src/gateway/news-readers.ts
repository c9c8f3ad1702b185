// Readers of /ws/news. An item mentions several instruments or none, so that what a reader takes in cannot be a topic: items
// are few, and each is sent to its readers one by one. `prev` goes by the reader.
import type { Position } from '@tickwire/contract';
import { asSymbol, type MarketSymbol } from '@tickwire/engine';
import type { Batch, Journal, NewsEvent } from '../journal/journal.ts';
import type { Connection } from './connection.ts';
import { plain, sequenced } from './encode.ts';
import { type Progress, type Replays, TURN_BYTES } from './replays.ts';
import { EventRing } from './ring.ts';

/** Items kept for readers that come back. */
const KEPT = 1_024;

interface Taste {
  everything: boolean;
  readonly symbols: Set<MarketSymbol>;
  sequenced: boolean;
  /** seq of the last item it was sent. */
  prev: number;
  /** Position in the ring of the next item of its replay; null while it reads live. */
  replayAt: number | null;
}

export interface NewsReadersOptions {
  readonly symbols: ReadonlySet<MarketSymbol>;
  readonly journal: Journal;
  readonly replays: Replays;
}

export class NewsReaders {
  published = 0;
  readonly #options: NewsReadersOptions;
  readonly #tastes = new Map<Connection, Taste>();
  readonly #ring: EventRing<NewsEvent>;
  #newest: number;

  constructor(options: NewsReadersOptions) {
    this.#options = options;
    this.#newest = options.journal.lastSeq;
    this.#ring = new EventRing(KEPT);
  }

  /** Adds to what the connection takes in; `codes` left out means everything. Returns the codes that are unknown. */
  subscribe(connection: Connection, codes: readonly string[] | undefined, numbered: boolean): string[] {
    const taste = this.#tastes.get(connection) ?? {
      everything: false,
      symbols: new Set(),
      sequenced: false,
      prev: 0,
      replayAt: null,
    };
    taste.sequenced = numbered;
    const { known, unknown } = this.#sort(codes ?? ['*']);
    taste.everything ||= (codes ?? ['*']).includes('*');
    for (const symbol of known) taste.symbols.add(symbol);
    if (taste.everything || taste.symbols.size > 0) this.#tastes.set(connection, taste);
    return unknown;
  }

  /** Sends what came after the position; false where that is not known any more. */
  resume(connection: Connection, { epoch, seq }: Position): boolean {
    const taste = this.#tastes.get(connection);
    if (epoch !== this.#options.journal.epoch || seq < this.#ring.lostUntil || seq > this.#options.journal.lastSeq)
      return false;
    if (!taste) return true;
    const isReplaying = taste.replayAt !== null;
    taste.prev = seq;
    taste.replayAt = this.#ring.firstAfter(seq);
    // One that is under way goes on from there.
    if (isReplaying) return true;
    this.#options.replays.start({ connection, keys: [], step: () => this.#replay(connection, taste) });
    return true;
  }

  /** Takes symbols off again; none named, or "*": all of them. Returns the codes that are unknown. */
  unsubscribe(connection: Connection, codes: readonly string[] | undefined): string[] {
    const { known, unknown } = this.#sort(codes ?? ['*']);
    const taste = this.#tastes.get(connection);
    if (!codes || codes.includes('*')) this.#tastes.delete(connection);
    else if (taste) {
      for (const symbol of known) taste.symbols.delete(symbol);
      if (!taste.everything && taste.symbols.size === 0) this.#tastes.delete(connection);
    }
    return unknown;
  }

  /** The whole current set. */
  subscriptions(connection: Connection): string[] {
    const taste = this.#tastes.get(connection);
    return taste ? [...(taste.everything ? ['*'] : []), ...taste.symbols] : [];
  }

  /** Where a reader stands that has read everything. */
  get position(): Position {
    return { epoch: this.#options.journal.epoch, seq: this.#newest };
  }

  /** Items up to `seq` never came here, or are not known to. */
  lose(seq: number): void {
    this.#ring.forget(seq);
    this.#newest = Math.max(this.#newest, seq);
    for (const taste of this.#tastes.values()) taste.replayAt = null;
  }

  isReplaying(connection: Connection): boolean {
    return (this.#tastes.get(connection)?.replayAt ?? null) !== null;
  }

  forget(connection: Connection): void {
    this.#tastes.delete(connection);
  }

  read({ firstSeq, events }: Batch): void {
    for (let index = 0; index < events.length; index++) {
      const event = events[index]!;
      if (event.kind === 'news') this.#publish(event, firstSeq + index);
    }
  }

  #sort(codes: readonly string[]): { known: MarketSymbol[]; unknown: string[] } {
    const named = [...new Set(codes)].filter((code) => code !== '*');
    const { true: known = [], false: unknown = [] } = Object.groupBy(named, (code) =>
      this.#options.symbols.has(asSymbol(code)) ? 'true' : 'false',
    );
    return { known: known.map(asSymbol), unknown };
  }

  #publish(event: NewsEvent, seq: number): void {
    this.#newest = seq;
    this.#ring.add(seq, event);
    const body = bodyOf(event);
    for (const [connection, taste] of this.#tastes)
      if (taste.replayAt === null) this.#send(connection, taste, event, body, seq);
  }

  /** Bytes that were sent: none where it is not to the reader's taste. */
  #send({ socket }: Connection, taste: Taste, { item }: NewsEvent, body: string, seq: number): number {
    if (!taste.everything && !item.symbols.some((symbol) => taste.symbols.has(symbol as MarketSymbol))) return 0;
    this.published++;
    const { epoch } = this.#options.journal;
    const text = taste.sequenced ? sequenced(body, seq, taste.prev, epoch) : plain(body);
    socket.send(text);
    taste.prev = seq;
    return text.length;
  }

  #replay(connection: Connection, taste: Taste): Progress {
    // It has unsubscribed meanwhile.
    if (this.#tastes.get(connection) !== taste) return 'done';
    if (taste.replayAt! < this.#ring.start) {
      // It was so slow that what it had still to get has given way.
      connection.end('too_slow', 'The reader does not keep up with the news.');
      return 'done';
    }
    for (let bytes = 0; taste.replayAt! < this.#ring.end; taste.replayAt!++) {
      if (bytes >= TURN_BYTES) return 'more';
      const event = this.#ring.itemAt(taste.replayAt!);
      bytes += this.#send(connection, taste, event, bodyOf(event), this.#ring.seqAt(taste.replayAt!));
    }
    taste.replayAt = null;
    return 'done';
  }
}

const bodyOf = ({ item, revised }: NewsEvent): string =>
  JSON.stringify(revised ? { ...item, revised: true } : item).slice(0, -1);
