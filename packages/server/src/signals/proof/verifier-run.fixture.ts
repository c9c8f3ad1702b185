// The engine's verifier over a list of events, with signals published and closed in between as the service would: all of
// them active side by side. What it says is put in the words of the naive judge, so that the two can be compared.
import { NO_PROFIT, profitOf } from '@tickwire/contract';
import {
  acceptSignal,
  asEpochMs,
  type ClosedVerdict,
  type EngineEvent,
  type InstrumentSpec,
  type MarketSymbol,
  type Order,
  type Verdict,
  Verifier,
} from '@tickwire/engine';
import type { NaiveRefusal } from './naive-accept.fixture.ts';
import { naivePrice } from './naive-arithmetic.fixture.ts';
import type { NaiveClosing, NaiveCourse, NaiveManual, NaiveRequest } from './naive-judge.fixture.ts';
import type { NaiveEvent } from './naive-market.fixture.ts';

export interface Posting {
  readonly id: string;
  readonly symbol: MarketSymbol;
  readonly request: NaiveRequest;
  readonly publishedAt: number;
  /** It is published after the event of this index. */
  readonly index: number;
  readonly manual?: NaiveManual | undefined;
}

/** An event of one symbol; its `seq` is that of the list's first one plus its index. */
export interface FeedItem {
  readonly symbol: MarketSymbol;
  readonly event: NaiveEvent;
}

/** Of those that a posting can break here; of the first, only that its market must be alive. */
const RULES = {
  levels_out_of_order: 2,
  entry_too_far: 3,
  distance_out_of_range: 4,
  level_reached: 5,
} as const;

export type Courses = Map<string, NaiveRefusal | NaiveCourse>;

export function verifierCourses(
  specs: readonly InstrumentSpec[],
  feed: readonly FeedItem[],
  postings: readonly Posting[],
  restartAfter: ReadonlySet<number> = new Set(),
): Courses {
  const run = new Run(specs, feed);
  const published = Map.groupBy(postings, ({ index }) => index);
  const manual = Map.groupBy(
    postings.filter((posting) => posting.manual),
    (posting) => posting.manual!.after,
  );
  const stops = new Set([...published.keys(), ...manual.keys(), ...restartAfter, feed.length - 1]);
  let from = 0;
  for (const at of [...stops].sort((a, b) => a - b)) {
    run.read(from, at + 1);
    from = at + 1;
    for (const posting of published.get(at) ?? []) run.publish(posting);
    for (const posting of manual.get(at) ?? []) run.close(posting);
    if (restartAfter.has(at)) run.restart(at);
  }
  return run.courses();
}

class Run {
  readonly #specs: readonly InstrumentSpec[];
  readonly #feed: readonly FeedItem[];
  readonly #firstSeq: number;
  readonly #says: LastSays;
  readonly #courses: Courses = new Map();
  readonly #active = new Map<string, { readonly posting: Posting; order: Order }>();
  readonly #gaps: Extract<Verdict, { kind: 'gap' }>[] = [];
  #verifier: Verifier;

  constructor(specs: readonly InstrumentSpec[], feed: readonly FeedItem[]) {
    this.#specs = specs;
    this.#feed = feed;
    this.#firstSeq = feed[0]!.event.seq;
    this.#says = new LastSays(feed);
    this.#verifier = new Verifier(specs);
  }

  read(from: number, to: number): void {
    const events = this.#feed.slice(from, to).map(({ symbol, event }) => engineEvent(symbol, event));
    const verdicts: Verdict[] = [];
    this.#verifier.read({ firstSeq: this.#firstSeq + from, events, source: 'test' }, verdicts);
    for (const verdict of verdicts) {
      if (verdict.kind === 'gap') this.#gaps.push(verdict);
      else if (verdict.kind === 'closed') this.#closed(verdict);
      else {
        const held = this.#active.get(verdict.id)!;
        held.order = { ...held.order, fill: verdict.fill };
      }
    }
  }

  publish(posting: Posting): void {
    const { id, symbol, request, publishedAt } = posting;
    const { direction, entry, stop_loss: stopLoss, take_profit: takeProfit, expires_at } = request;
    const expiresAt = expires_at === undefined ? null : asEpochMs(expires_at);
    const terms = { direction, entry, stopLoss, takeProfit, expiresAt };
    if (!this.#verifier.isLive(symbol)) {
      this.#courses.set(id, { refused: 1 });
      return;
    }
    const standing = this.#verifier.quote(symbol)!;
    const order = acceptSignal(id, this.#spec(symbol), standing, terms, asEpochMs(publishedAt));
    if ('refused' in order) {
      const rule = RULES[order.refused as keyof typeof RULES];
      if (rule === undefined) throw new Error(`${id}: ${order.refused}: ${order.detail}`);
      this.#courses.set(id, { refused: rule });
      return;
    }
    this.#verifier.add(order);
    this.#active.set(id, { posting, order });
  }

  close({ id, manual }: Posting): void {
    const verdict = this.#verifier.close(id, asEpochMs(manual!.time), this.#firstSeq + manual!.after);
    if (verdict) this.#closed(verdict);
  }

  /** Another verifier goes on with what a store and a tape have kept; where a source was cut off, that is known again. */
  restart(at: number): void {
    const before = this.#verifier;
    this.#verifier = new Verifier(this.#specs);
    for (const gap of this.#gaps) this.#verifier.restoreGap(gap);
    for (const { symbol } of this.#specs) {
      const quote = before.quote(symbol);
      if (!quote) continue;
      this.#verifier.seed(symbol, stored(quote));
      for (const each of this.#feed.slice(quote.seq - this.#firstSeq, at + 1)) {
        const event = each.symbol === symbol ? engineEvent(symbol, each.event) : null;
        if (event?.kind === 'minute') this.#verifier.seedMinute(symbol, event.bar, each.event.seq, 'test');
      }
      if (before.isCutOff(symbol)) this.#verifier.cutOff([symbol]);
    }
    for (const { order } of this.#active.values()) this.#verifier.add(stored(order));
  }

  courses(): Courses {
    for (const [id, { order }] of this.#active) {
      if (!this.#verifier.has(id)) throw new Error(`${id} has ended without a word`);
      this.#courses.set(id, { ...this.#course(order), closing: null });
    }
    return this.#courses;
  }

  #closed(verdict: ClosedVerdict): void {
    const { posting, order } = this.#active.get(verdict.id)!;
    this.#active.delete(verdict.id);
    if (this.#verifier.has(verdict.id)) throw new Error(`${verdict.id} was closed and is still active`);
    const course = this.#course({ ...order, fill: verdict.fill });
    this.#courses.set(verdict.id, { ...course, closing: this.#closing(posting, order, verdict) });
  }

  #course(order: Order): Omit<NaiveCourse, 'closing'> {
    const { digits } = this.#spec(order.symbol);
    return {
      order: order.kind,
      entry_deadline: order.entryDeadline,
      deadline: order.deadline,
      entry_price: order.fill ? naivePrice(order.fill.price, digits) : null,
      filled_seq: order.fill?.evidence?.seq ?? null,
    };
  }

  #closing(posting: Posting, order: Order, verdict: ClosedVerdict): NaiveClosing {
    const { digits, pipSize } = this.#spec(order.symbol);
    const profitAt = (exitPrice: number) =>
      profitOf({ ...order, entryPrice: verdict.fill!.price, exitPrice, digits, pipSize });
    return {
      reason: verdict.reason,
      exit_price: verdict.exitPrice === null ? null : naivePrice(verdict.exitPrice, digits),
      closed_at: verdict.closedAt,
      decided: verdict.decided.seq,
      decided_seq: this.#says.upTo(verdict.decidedSeq - this.#firstSeq, posting, order.accepted.seq),
      ...(verdict.exitPrice === null ? NO_PROFIT : profitAt(verdict.exitPrice)),
      pnl_best: verdict.bestExit === null ? null : profitAt(verdict.bestExit).pnl,
      gap: verdict.gap,
    };
  }

  #spec(symbol: MarketSymbol): InstrumentSpec {
    return this.#specs.find((spec) => spec.symbol === symbol)!;
  }
}

/** As it comes back from a store. */
const stored = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

const ENDS_A_CUT: ReadonlySet<NaiveEvent['kind']> = new Set(['quote', 'gap', 'backfilled', 'failover']);

/**
 * `decided_seq` is a bound: where nothing that judges decided, it may be the number of anything up to the next that
 * does. This finds the last that had its say within the bound.
 */
class LastSays {
  readonly #feed: readonly FeedItem[];
  readonly #judging: Uint8Array;

  constructor(feed: readonly FeedItem[]) {
    this.#feed = feed;
    this.#judging = new Uint8Array(feed.length);
    const cut = new Set<MarketSymbol>();
    for (const [index, { symbol, event }] of feed.entries()) {
      if (event.kind === 'disconnect') cut.add(symbol);
      if (ENDS_A_CUT.has(event.kind)) cut.delete(symbol);
      const judges = event.kind === 'quote' || event.kind === 'bar' || (event.kind === 'trade' && cut.has(symbol));
      this.#judging[index] = judges ? 1 : 0;
    }
  }

  upTo(bound: number, { symbol, index }: Posting, accepted: number): number {
    for (let at = bound; at > index; at--) {
      if (this.#judging[at] === 1 && this.#feed[at]!.symbol === symbol) return this.#feed[at]!.event.seq;
    }
    return accepted;
  }
}

function engineEvent(symbol: MarketSymbol, event: NaiveEvent): EngineEvent {
  const symbols = [symbol];
  switch (event.kind) {
    case 'quote': {
      const { bid, ask } = event;
      return { kind: 'tick', symbol, time: asEpochMs(event.time), bid, ask, bidSize: 0, askSize: 0, volume: 1 };
    }
    case 'trade': {
      const flow = { size: 1, sideMethod: null, cumulativeDelta: 0, imbalance: 0, absorption: null } as const;
      return { kind: 'flow', symbol, time: asEpochMs(event.time), price: event.price, side: event.side, ...flow };
    }
    case 'bar': {
      const { open, high, low, close } = event;
      const partial = event.partial ? ({ partial: true } as const) : {};
      const prices = { time: asEpochMs(event.time), open, high, low, close, ...partial };
      return { kind: 'minute', symbol, bar: { ...prices, volume: 1, bidVolume: 0, askVolume: 0, basis: 'bid' } };
    }
    case 'clock':
      return { kind: 'clock', time: asEpochMs(event.time) };
    case 'disconnect':
      return { kind: 'disconnect', symbols, time: asEpochMs(event.time) };
    case 'failover':
      return { kind: 'failover', symbols, source: 'test', time: asEpochMs(event.time) };
    case 'backfilled': {
      const time = asEpochMs(event.time);
      return { kind: 'backfilled', symbols, count: 1, from: time, to: time, time };
    }
    case 'gap': {
      const [from, to] = [asEpochMs(event.from), asEpochMs(event.to)];
      return { kind: 'gap', symbols, from, to, time: to };
    }
  }
}
