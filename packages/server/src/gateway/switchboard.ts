// Connects lines with listeners: every message is encoded once and published to a topic of the runtime, which carries it to
// all its readers.
import type { Channel, Timeframe } from '@tickwire/contract';
import {
  type BarEvent,
  type FlowEvent,
  type InstrumentSpec,
  type MarketSymbol,
  roundSize,
  type TickEvent,
} from '@tickwire/engine';
import type { Batch, Journal, JournalEvent, SignalClosedEvent, SignalEvent } from '../journal/journal.ts';
import type { MarketView } from '../views/market-view.ts';
import type { Connection } from './connection.ts';
import { barBody, flowBody, flowSnapshotBody, signalBody, tickBody } from './encode.ts';
import { Line, PacedLine, type Publish, type Tap } from './line.ts';
import { Outbox } from './outbox.ts';
import type { Owed } from './owed.ts';
import { Pacer, sharedRate } from './pacer.ts';
import { EventRing, FlowRing, TickRing } from './ring.ts';

const DAY_MS = 86_400_000;
/** Signals kept in memory; what is older comes from the store. */
const SIGNALS_KEPT = 1_024;

/** The last numbers that messages of an instrument were given. */
export type LastNumbers = ReadonlyMap<MarketSymbol, { readonly tick: number; readonly flow: number }>;

/** What has continuity numbers of its own. Signals with their closings are a line of their own: `prev` must name a message
 * that the same reader was sent. */
export type LineKind = Exclude<Channel, 'news'> | 'signals_and_closings';

/** The signal log as the lines of signals go by it: its numbers are theirs, and outlive the process. */
export interface SignalNumbers {
  readonly epoch: string;
  /** Number of the newest record. */
  readonly newest: number;
  lastOf(symbol: MarketSymbol): { readonly published: number; readonly any: number };
}

export interface SwitchboardOptions {
  readonly instruments: readonly InstrumentSpec[];
  readonly journal: Journal;
  readonly market: MarketView;
  readonly signals: SignalNumbers;
  /** Ticks, and as many messages of order flow, that are kept for readers that come back. */
  readonly kept: number;
  readonly now: () => number;
  readonly publish: Publish;
}

/** All lines of one instrument. */
interface Wires extends Record<LineKind, Line> {
  readonly place: number;
  readonly digits: number;
  readonly bars: PacedLine[];
}

export class Switchboard {
  published = 0;
  readonly ticks: TickRing;
  readonly flows: FlowRing;
  readonly signals: EventRing<SignalEvent | SignalClosedEvent>;
  readonly #options: SwitchboardOptions;
  readonly #wires: Map<MarketSymbol, Wires>;
  readonly #outbox: Outbox;
  readonly #pacer: Pacer;

  constructor(options: SwitchboardOptions) {
    const { instruments, signals, kept, publish, now } = options;
    this.#options = options;
    this.ticks = new TickRing(instruments, kept);
    this.flows = new FlowRing(instruments, kept);
    this.signals = new EventRing(SIGNALS_KEPT, signals.newest);
    this.#outbox = new Outbox(publish);
    this.#pacer = new Pacer((line) => this.#say(line), now);
    this.#wires = new Map(instruments.map((spec, place) => [spec.symbol, this.#wire(spec, place)]));
  }

  get symbols(): Iterable<MarketSymbol> {
    return this.#wires.keys();
  }

  has(symbol: MarketSymbol): boolean {
    return this.#wires.has(symbol);
  }

  /** Its place in the catalogue, by which the rings know it. */
  placeOf(symbol: MarketSymbol): number {
    return this.#wires.get(symbol)!.place;
  }

  line(kind: LineKind, symbol: MarketSymbol): Line {
    return this.#wires.get(symbol)![kind];
  }

  /** The newest of a line, so many times a second. */
  paced(kind: 'market' | 'orderflow', symbol: MarketSymbol, most: number): PacedLine {
    const source = this.line(kind, symbol);
    const rate = sharedRate(most);
    const everyMs = 1000 / rate;
    const known = source.followers.find((line) => line.everyMs === everyMs);
    if (known) return known;
    const topic = `${kind}:${symbol}@${rate}`;
    const line = new PacedLine({ symbol, topic, epoch: source.epoch, newest: source.newest }, rate);
    [line.seq, line.prev] = [source.seq, source.prev];
    source.followers.push(line);
    source.owed.add(line.owes);
    return line;
  }

  /** The forming bar so many times a second, and each bar as it closes. */
  barsOf(symbol: MarketSymbol, timeframe: Timeframe, most: number): PacedLine {
    const wires = this.#wires.get(symbol)!;
    const rate = sharedRate(most);
    const everyMs = 1000 / rate;
    const known = wires.bars.find((line) => line.timeframe === timeframe && line.everyMs === everyMs);
    if (known) return known;
    const topic = `bars:${timeframe}:${symbol}@${rate}`;
    const { market, journal } = this.#options;
    const newest = (): string | null => {
      const forming = market.forming(symbol, timeframe);
      const bar = forming ?? market.latestBar(symbol, timeframe);
      return bar && barBody(symbol, timeframe, bar, forming === null);
    };
    const line = new PacedLine({ symbol, timeframe, topic, epoch: journal.epoch, newest }, rate);
    line.seq = Math.max(wires.market.seq, wires.orderflow.seq);
    wires.bars.push(line);
    return line;
  }

  readonly read = ({ firstSeq, events }: Batch): void => {
    for (let index = 0; index < events.length; index++) this.#carry(events[index]!, firstSeq + index);
    this.#pacer.run();
    this.#outbox.settle();
  };

  /** Where each line of ticks and order flow stood before what this process has read: the first message of it names that. */
  begin(lastOf: LastNumbers, lostUntil: number): void {
    this.ticks.forget(lostUntil);
    this.flows.forget(lostUntil);
    this.#goOn(lastOf);
  }

  #goOn(lastOf: LastNumbers): void {
    for (const [symbol, { tick, flow }] of lastOf) {
      const wires = this.#wires.get(symbol);
      if (!wires) continue;
      wires.market.seq = tick;
      wires.orderflow.seq = flow;
    }
  }

  /** Messages up to `seq` never came here. Lines go on under the journal's epoch, which may be another. */
  lose(seq: number, lastOf: LastNumbers): void {
    const { epoch } = this.#options.journal;
    this.#outbox.flush();
    this.ticks.forget(seq);
    this.flows.forget(seq);
    this.#goOn(lastOf);
    for (const { market, orderflow, bars } of this.#wires.values())
      for (const line of [market, orderflow, ...market.followers, ...orderflow.followers, ...bars]) line.epoch = epoch;
  }

  /** Sends at once what is held back: before something that refers to it goes out by another way. */
  flush(): void {
    this.#outbox.flush();
  }

  /** Puts a connection on the topic of a line. */
  join({ socket }: Connection, { line, sequenced, topic }: Tap): void {
    this.#outbox.flush();
    line.listeners(sequenced, 1);
    socket.subscribe(topic);
  }

  leave({ socket }: Connection, { line, sequenced, topic }: Tap): void {
    this.#outbox.flush();
    socket.unsubscribe(topic);
    line.listeners(sequenced, -1);
    this.tidy(line);
  }

  /** A paced line that nobody needs is not kept. */
  tidy(line: Line): void {
    if (!(line instanceof PacedLine) || !line.idle) return;
    const wires = this.#wires.get(line.symbol)!;
    this.#pacer.forget(line);
    for (const list of [wires.bars, wires.market.followers, wires.orderflow.followers]) {
      const at = list.indexOf(line);
      if (at >= 0) list.splice(at, 1);
    }
    wires.market.owed.delete(line.owes);
    wires.orderflow.owed.delete(line.owes);
  }

  #wire({ symbol, digits }: InstrumentSpec, place: number): Wires {
    const { journal, market, signals } = this.#options;
    const line = (kind: LineKind, epoch: string, newest: (owed: Readonly<Owed>) => string | null): Line =>
      new Line({ symbol, topic: `${kind}:${symbol}`, epoch, newest });
    const ofTicks = ({ volume }: Readonly<Owed>): string | null => {
      const tick = market.tick(symbol);
      return tick && tickBody(tick, roundSize(volume), digits);
    };
    const ofFlow = (owed: Readonly<Owed>): string | null => {
      const flow = market.flow(symbol);
      return flow && this.#flowBody(flow, owed);
    };
    const never = (): null => null;
    const wires: Wires = {
      place,
      digits,
      bars: [],
      market: line('market', journal.epoch, ofTicks),
      orderflow: line('orderflow', journal.epoch, ofFlow),
      signals: line('signals', signals.epoch, never),
      signals_and_closings: line('signals_and_closings', signals.epoch, never),
    };
    const last = signals.lastOf(symbol);
    wires.signals.seq = last.published;
    wires.signals_and_closings.seq = last.any;
    return wires;
  }

  #flowBody(flow: FlowEvent, { messages, volume, askVolume }: Readonly<Owed>): string {
    if (messages > 0) return flowBody(flow, roundSize(volume - askVolume), roundSize(askVolume));
    // The cumulative delta of a day that has ended is not today's.
    const ended = Math.floor(flow.time / DAY_MS) < Math.floor(this.#options.now() / DAY_MS);
    return flowSnapshotBody(ended ? { ...flow, cumulativeDelta: 0 } : flow);
  }

  #carry(event: JournalEvent, seq: number): void {
    switch (event.kind) {
      case 'tick':
        this.#tick(event, seq);
        break;
      case 'flow':
        this.#flow(event, seq);
        break;
      case 'bar':
        this.#bar(event, seq);
        break;
      case 'minute':
        this.#touch([], this.#wires.get(event.symbol)!.bars, seq);
        break;
      case 'signal':
      case 'signal_closed':
        this.#signal(event);
    }
  }

  #tick(event: TickEvent, seq: number): void {
    const wires = this.#wires.get(event.symbol)!;
    const line = wires.market;
    line.advance(seq, event.volume, 0);
    this.ticks.add(seq, line.prev, wires.place, event);
    if (line.heard) this.#send(line, tickBody(event, event.volume, wires.digits));
    this.#touch(line.followers, wires.bars, seq);
  }

  #flow(event: FlowEvent, seq: number): void {
    const wires = this.#wires.get(event.symbol)!;
    const line = wires.orderflow;
    const bought = event.side === 'buy';
    line.advance(seq, event.size, bought ? event.size : 0);
    this.flows.add(seq, line.prev, wires.place, event);
    if (line.heard) this.#send(line, flowBody(event, bought ? 0 : event.size, bought ? event.size : 0));
    this.#touch(line.followers, wires.bars, seq);
  }

  #touch(followers: readonly PacedLine[], bars: readonly PacedLine[], seq: number): void {
    for (let at = 0; at < followers.length; at++) this.#pacer.touch(followers[at]!, seq);
    for (let at = 0; at < bars.length; at++) this.#pacer.touch(bars[at]!, seq);
  }

  /** What the bar that is forming has to tell comes after it: the event that closed or amended a bar follows it. */
  #bar({ symbol, timeframe, bar }: BarEvent, seq: number): void {
    for (const line of this.#wires.get(symbol)!.bars) {
      if (line.timeframe !== timeframe) continue;
      line.advance(seq, 0, 0);
      this.#send(line, barBody(symbol, timeframe, bar, true));
      this.#pacer.forget(line);
    }
  }

  #signal(event: SignalEvent | SignalClosedEvent): void {
    const { symbol, n } = event;
    const wires = this.#wires.get(symbol);
    this.signals.add(n, event);
    if (!wires) return;
    const lines = [wires.signals_and_closings];
    if (event.kind === 'signal') lines.push(wires.signals);
    for (const line of lines) {
      line.advance(n, 0, 0);
      if (line.heard) this.#send(line, signalBody(event));
    }
  }

  /** What a paced line has to tell. */
  #say(line: PacedLine): void {
    // A bar that closed meanwhile has told of itself.
    if (line.timeframe && !this.#options.market.forming(line.symbol, line.timeframe)) return;
    line.advance(line.pending, line.owes.volume, line.owes.askVolume);
    const body = line.heard ? line.newest(line.owes) : null;
    line.owes.settle(line.seq);
    if (body === null) return;
    this.#send(line, body);
    this.#outbox.settle();
  }

  #send(line: Line, body: string): void {
    this.published++;
    line.publish(body, this.#outbox.put);
  }
}
