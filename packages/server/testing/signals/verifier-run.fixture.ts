// Runs the engine's verifier over a list of events, with signals published and closed in between as by the service, all
// active at the same time, by rules version 1. Converts its results to those of the naive judge, so that they can be compared.
import { type ExitPart, NO_PROFIT, profitOf } from '@tickwire/contract';
import {
  acceptSignal,
  asEpochMs,
  type ClosedVerdict,
  DAY_MS,
  type EngineEvent,
  type Fill,
  type InstrumentSpec,
  type MarketSymbol,
  NO_PROGRESS,
  type Order,
  toTicks,
  type Verdict,
  Verifier,
} from '@tickwire/engine';
import type { NaiveRefusal } from './naive-accept.fixture.ts';
import { naivePrice } from './naive-arithmetic.fixture.ts';
import type { NaiveClosing, NaiveManual, NaiveOutcome, NaiveRequest } from './naive-judge.fixture.ts';
import type { NaiveEvent } from './naive-market.fixture.ts';

export interface Posting {
  readonly id: string;
  readonly symbol: MarketSymbol;
  readonly request: NaiveRequest;
  readonly publishedAt: number;
  /** It is published after the event with this index. */
  readonly index: number;
  readonly manual?: NaiveManual | undefined;
}

/** An event of one symbol; its `seq` is that of the first event plus its index. */
export interface FeedItem {
  readonly symbol: MarketSymbol;
  readonly event: NaiveEvent;
}

/** Rule numbers of the rejections that can occur here; rule 1 only for a market that is not live. */
const RULES = {
  levels_out_of_order: 2,
  entry_too_far: 3,
  distance_out_of_range: 4,
  level_reached: 5,
} as const;

export type Outcomes = Map<string, NaiveRefusal | NaiveOutcome>;

export function verifierOutcomes(
  specs: readonly InstrumentSpec[],
  feed: readonly FeedItem[],
  postings: readonly Posting[],
  restartAfter: ReadonlySet<number> = new Set(),
): Outcomes {
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
  return run.outcomes();
}

class Run {
  readonly #specs: readonly InstrumentSpec[];
  readonly #feed: readonly FeedItem[];
  readonly #firstSeq: number;
  readonly #lastJudging: LastJudging;
  readonly #outcomes: Outcomes = new Map();
  readonly #active = new Map<string, { readonly posting: Posting; readonly order: Order; fill: Fill | null }>();
  readonly #gaps: Extract<Verdict, { kind: 'gap' }>[] = [];
  #verifier: Verifier;

  constructor(specs: readonly InstrumentSpec[], feed: readonly FeedItem[]) {
    this.#specs = specs;
    this.#feed = feed;
    this.#firstSeq = feed[0]!.event.seq;
    this.#lastJudging = new LastJudging(feed);
    this.#verifier = new Verifier(specs);
  }

  read(from: number, to: number): void {
    const events = this.#feed.slice(from, to).map(({ symbol, event }) => engineEvent(symbol, event));
    const verdicts: Verdict[] = [];
    this.#verifier.read({ firstSeq: this.#firstSeq + from, events, source: 'test' }, verdicts);
    for (const verdict of verdicts) {
      if (verdict.kind === 'gap') this.#gaps.push(verdict);
      else if (verdict.kind === 'closed') this.#closed(verdict);
      else if (verdict.kind === 'filled') this.#active.get(verdict.id)!.fill = verdict.fill;
      else throw new Error(`${verdict.id} has one target and cannot exit in parts`);
    }
  }

  publish(posting: Posting): void {
    const { id, symbol, request, publishedAt } = posting;
    const { direction, entry, stop_loss: stopLoss, take_profit: takeProfit, expires_at } = request;
    const expiresAt = expires_at === undefined ? null : asEpochMs(expires_at);
    const targets = [{ price: takeProfit, fraction: 1 }];
    const terms = { direction, entry, stopLoss, targets, breakevenAfter: null, expiresAt };
    if (!this.#verifier.isLive(symbol)) {
      this.#outcomes.set(id, { refused: 1 });
      return;
    }
    const standing = this.#verifier.quote(symbol)!;
    const order = acceptSignal(id, this.#spec(symbol), standing, terms, asEpochMs(publishedAt));
    if ('rejected' in order) {
      const rule = RULES[order.rejected as keyof typeof RULES];
      if (rule === undefined) throw new Error(`${id}: ${order.rejected}: ${order.detail}`);
      this.#outcomes.set(id, { refused: rule });
      return;
    }
    const { order: first, fill } = asVersion1(order, expiresAt !== null, this.#spec(symbol));
    this.#verifier.add(first, { ...NO_PROGRESS, fill });
    this.#active.set(id, { posting, order: first, fill });
  }

  close({ id, manual }: Posting): void {
    const verdict = this.#verifier.close(id, asEpochMs(manual!.time), this.#firstSeq + manual!.after);
    if (verdict) this.#closed(verdict);
  }

  /**
   * Continues with a new verifier from what store and tape have kept. It is told again which sources are disconnected.
   */
  restart(at: number): void {
    const before = this.#verifier;
    this.#verifier = new Verifier(this.#specs);
    for (const gap of this.#gaps) this.#verifier.restoreGap(gap);
    for (const { symbol } of this.#specs) {
      const quote = before.quote(symbol);
      if (!quote) continue;
      this.#verifier.seedQuote(symbol, stored(quote));
      for (const each of this.#feed.slice(quote.seq - this.#firstSeq, at + 1)) {
        const event = each.symbol === symbol ? engineEvent(symbol, each.event) : null;
        if (event?.kind === 'minute') this.#verifier.seedBar(symbol, event.bar, each.event.seq, 'test');
      }
      if (before.isDisconnected(symbol)) this.#verifier.markDisconnected([symbol]);
    }
    for (const { order, fill } of this.#active.values())
      this.#verifier.add(stored(order), stored({ ...NO_PROGRESS, fill }));
  }

  outcomes(): Outcomes {
    for (const [id, { order, fill }] of this.#active) {
      if (!this.#verifier.has(id)) throw new Error(`${id} has ended without a verdict`);
      this.#outcomes.set(id, { ...this.#outcome(order, fill), closing: null });
    }
    return this.#outcomes;
  }

  #closed(verdict: ClosedVerdict): void {
    const { posting, order } = this.#active.get(verdict.id)!;
    this.#active.delete(verdict.id);
    if (this.#verifier.has(verdict.id)) throw new Error(`${verdict.id} was closed and is still active`);
    const outcome = this.#outcome(order, verdict.fill);
    this.#outcomes.set(verdict.id, { ...outcome, closing: this.#closing(posting, order, verdict) });
  }

  #outcome(order: Order, fill: Fill | null): Omit<NaiveOutcome, 'closing'> {
    const { digits } = this.#spec(order.symbol);
    return {
      order: order.kind,
      entry_deadline: order.entryDeadline,
      deadline: order.deadline,
      entry_price: fill ? naivePrice(fill.price, digits) : null,
      filled_seq: fill?.evidence?.seq ?? null,
    };
  }

  #closing(posting: Posting, order: Order, verdict: ClosedVerdict): NaiveClosing {
    const { digits, pipSize } = this.#spec(order.symbol);
    const profitAt = (exits: readonly ExitPart[]) =>
      profitOf({ ...order, entryPrice: verdict.fill!.price, exits, digits, pipSize });
    const exit = verdict.exits.at(-1) ?? null;
    return {
      reason: verdict.reason,
      exit_price: exit && naivePrice(exit.price, digits),
      closed_at: verdict.closedAt,
      decided: verdict.decided.seq,
      decided_seq: this.#lastJudging.upTo(verdict.decidedSeq - this.#firstSeq, posting, order.accepted.seq),
      ...(exit ? profitAt(verdict.exits) : NO_PROFIT),
      pnl_best: verdict.bestExits && profitAt(verdict.bestExits).pnl,
      gap: verdict.gap,
    };
  }

  #spec(symbol: MarketSymbol): InstrumentSpec {
    return this.#specs.find((spec) => spec.symbol === symbol)!;
  }
}

/** The same signal as version 1 accepted it: a market entry fills at once, and a pending one has a day. */
function asVersion1(order: Order, expires: boolean, { digits }: InstrumentSpec): { order: Order; fill: Fill | null } {
  const { accepted, direction, kind, publishedAt, deadline } = order;
  const side = direction === 'buy' ? accepted.ask : accepted.bid;
  const fill = kind === 'market' ? { price: toTicks(side, digits), at: publishedAt, evidence: null } : null;
  const entryDeadline = expires ? deadline : asEpochMs(publishedAt + DAY_MS);
  return { order: { ...order, rules: 1, entryDeadline }, fill };
}

/** The value after a round trip through a store. */
const stored = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

const ENDS_DISCONNECT: ReadonlySet<NaiveEvent['kind']> = new Set(['quote', 'gap', 'backfilled', 'failover']);

/**
 * `decided_seq` is a bound: if no judging event decided, it may be any number up to the next judging event. Finds the
 * last judging event within the bound.
 */
class LastJudging {
  readonly #feed: readonly FeedItem[];
  readonly #judging: Uint8Array;

  constructor(feed: readonly FeedItem[]) {
    this.#feed = feed;
    this.#judging = new Uint8Array(feed.length);
    const cut = new Set<MarketSymbol>();
    for (const [index, { symbol, event }] of feed.entries()) {
      if (event.kind === 'disconnect') cut.add(symbol);
      if (ENDS_DISCONNECT.has(event.kind)) cut.delete(symbol);
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
