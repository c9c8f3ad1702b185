// Connects lines with listeners: every message is encoded once and published to a topic of the runtime, which carries it to
// all its readers.
import type { InstrumentSpec, MarketSymbol } from '@tickwire/engine';
import type { Batch, Journal, JournalEvent } from '../journal/journal.ts';
import type { MarketView } from '../views/market-view.ts';
import type { Connection, StreamKind } from './connection.ts';
import { flowBody, flowSnapshotBody, plain, sequenced, signalBody, tickBody } from './encode.ts';
import { Line, type LineKind, type Publish, type Variant } from './line.ts';

const DAY_MS = 86_400_000;

export interface SwitchboardOptions {
  readonly instruments: readonly InstrumentSpec[];
  readonly journal: Journal;
  readonly market: MarketView;
  readonly now: () => number;
  readonly publish: Publish;
}

export class Switchboard {
  published = 0;
  readonly #options: SwitchboardOptions;
  readonly #lines: Readonly<Record<LineKind, Map<MarketSymbol, Line>>>;
  readonly #digits: Map<MarketSymbol, number>;

  constructor(options: SwitchboardOptions) {
    this.#options = options;
    this.#digits = new Map(options.instruments.map(({ symbol, digits }) => [symbol, digits]));
    const lines = (kind: LineKind) =>
      new Map([...this.#digits.keys()].map((symbol) => [symbol, new Line(kind, symbol)]));
    this.#lines = {
      market: lines('market'),
      orderflow: lines('orderflow'),
      signals: lines('signals'),
      signals_and_closings: lines('signals_and_closings'),
    };
  }

  get symbols(): Iterable<MarketSymbol> {
    return this.#digits.keys();
  }

  has(symbol: MarketSymbol): boolean {
    return this.#digits.has(symbol);
  }

  line({ kind }: Variant, symbol: MarketSymbol): Line {
    return this.#lines[kind].get(symbol)!;
  }

  read({ firstSeq, events }: Batch): void {
    for (let index = 0; index < events.length; index++) this.#carry(events[index]!, firstSeq + index);
  }

  /** Adds a subscription, or changes how one is taken. A reader that is behind stays owed what it has missed. */
  add(connection: Connection, symbol: MarketSymbol, variant: Variant): void {
    const before = connection.subscriptions.get(symbol);
    connection.subscriptions.set(symbol, variant);
    if (connection.lag) {
      if (!before) connection.lag.seen.set(symbol, this.line(variant, symbol).count);
      return;
    }
    if (before) this.#unlisten(connection, symbol, before);
    this.#listen(connection, symbol, variant);
  }

  drop(connection: Connection, symbol: MarketSymbol): void {
    const variant = connection.subscriptions.get(symbol);
    if (!variant) return;
    connection.subscriptions.delete(symbol);
    const { lag } = connection;
    if (!lag) {
      this.#unlisten(connection, symbol, variant);
      return;
    }
    // What was left out before it unsubscribed is still declared.
    const missed = this.line(variant, symbol).count - lag.seen.get(symbol)!;
    if (missed === 0) return;
    lag.dropped += missed;
    lag.symbols.add(symbol);
  }

  /** Puts a connection on the topics of all its subscriptions. */
  attach(connection: Connection): void {
    for (const [symbol, variant] of connection.subscriptions) this.#listen(connection, symbol, variant);
  }

  /** Takes a connection off the topics; its subscriptions stand. */
  detach(connection: Connection): void {
    for (const [symbol, variant] of connection.subscriptions) this.#unlisten(connection, symbol, variant);
  }

  /** The connection is gone: the runtime has dropped its topics already. */
  forget(connection: Connection): void {
    if (!connection.lag) {
      for (const [symbol, variant] of connection.subscriptions) this.line(variant, symbol).listeners(variant, -1);
    }
    connection.subscriptions.clear();
  }

  /** Sends the last known message with nothing new in it: an idle market shows a price at once, nothing counts twice. */
  snapshot(connection: Connection, symbol: MarketSymbol, variant: Variant): void {
    const body = this.#snapshotBody(connection.channel, symbol);
    if (body === null) return;
    const { seq, prev } = this.line(variant, symbol);
    connection.socket.send(variant.sequenced ? sequenced(body, seq, prev, this.#options.journal.epoch) : plain(body));
  }

  /** The newest message of a symbol without its closing brace, for a reader that was behind. */
  newest(channel: StreamKind, symbol: MarketSymbol): string | null {
    if (channel === 'market') {
      const tick = this.#options.market.tick(symbol);
      return tick && tickBody(tick, tick.volume, this.#digits.get(symbol)!);
    }
    const flow = this.#options.market.flow(symbol);
    return flow && flowBody(flow);
  }

  #carry(event: JournalEvent, seq: number): void {
    if (event.kind === 'tick') {
      const line = this.#lines.market.get(event.symbol)!;
      line.advance(seq);
      if (line.heard) this.#send(line, tickBody(event, event.volume, this.#digits.get(event.symbol)!));
    } else if (event.kind === 'flow') {
      const line = this.#lines.orderflow.get(event.symbol)!;
      line.advance(seq);
      if (line.heard) this.#send(line, flowBody(event));
    } else if (event.kind === 'signal' || event.kind === 'signal_closed') {
      const kinds: LineKind[] =
        event.kind === 'signal' ? ['signals', 'signals_and_closings'] : ['signals_and_closings'];
      for (const kind of kinds) {
        const line = this.#lines[kind].get(event.symbol)!;
        line.advance(seq);
        if (line.heard) this.#send(line, signalBody(event));
      }
    }
  }

  #send(line: Line, body: string): void {
    this.published++;
    line.publish(body, this.#options.journal.epoch, this.#options.publish);
  }

  #snapshotBody(channel: StreamKind, symbol: MarketSymbol): string | null {
    if (channel === 'market') {
      const tick = this.#options.market.tick(symbol);
      return tick && tickBody(tick, 0, this.#digits.get(symbol)!);
    }
    const flow = channel === 'orderflow' ? this.#options.market.flow(symbol) : null;
    if (!flow) return null;
    // The cumulative delta of a day that has ended is not today's.
    const ended = Math.floor(flow.time / DAY_MS) < Math.floor(this.#options.now() / DAY_MS);
    return flowSnapshotBody(ended ? { ...flow, cumulativeDelta: 0 } : flow);
  }

  #listen(connection: Connection, symbol: MarketSymbol, variant: Variant): void {
    const line = this.line(variant, symbol);
    line.listeners(variant, 1);
    connection.socket.subscribe(line.topic(variant));
  }

  #unlisten(connection: Connection, symbol: MarketSymbol, variant: Variant): void {
    const line = this.line(variant, symbol);
    line.listeners(variant, -1);
    connection.socket.unsubscribe(line.topic(variant));
  }
}
