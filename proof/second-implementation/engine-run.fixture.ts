// Runs a scenario through the engine of the service, and says about each signal what judge.py says.
import { meanExitPrice, NO_PROFIT, profitOf, WHOLE } from '@tickwire/contract';
import {
  acceptSignal,
  acceptStop,
  asEpochMs,
  asSymbol,
  type ClosedVerdict,
  type EngineEvent,
  fromTicks,
  type GapVerdict,
  type InstrumentSpec,
  type MarketSymbol,
  type Order,
  type Rejection,
  type Verdict,
  Verifier,
} from '@tickwire/engine';
import type { Answer, Scenario, ScenarioEvent } from './scenario.fixture.ts';

type Event<T extends ScenarioEvent['type']> = Extract<ScenarioEvent, { readonly type: T }>;
type Request = Exclude<Extract<ScenarioEvent, { readonly signal: string }>, { readonly type: 'publish' }>;

export const SYMBOL = asSymbol('EURUSD');
const LIVE_MS = 60_000;
const MAX_AMENDMENTS = 100;
/** Rules behind the codes of a rejection. */
const RULES: Readonly<Record<Rejection['rejected'], readonly string[]>> = {
  finer_than_digits: ['fields'],
  expiry_out_of_range: ['fields'],
  levels_out_of_order: ['P2'],
  entry_too_far: ['P3'],
  distance_out_of_range: ['P4'],
  level_reached: ['P5'],
  invalid_targets: ['P6', 'P7'],
  stop_not_tighter: ['A2'],
};

interface Followed {
  readonly order: Order;
  readonly publisher: string;
  readonly requests: { type: string; at: number; rejected: readonly string[] }[];
  readonly verdicts: Verdict[];
  voidedAt: number | null;
}

export function runEngine({ instrument, events }: Scenario): Answer[] {
  const run = new EngineRun(specOf(instrument));
  for (const event of events) run.read(event);
  return run.answers();
}

export function specOf({ digits, pip_size: pipSize }: Scenario['instrument'], symbol = SYMBOL): InstrumentSpec {
  const terms = { contractSize: 1, marginRate: 1, minLot: 1, maxLot: 1, hours: 'always' } as const;
  return { symbol, name: 'Instrument', type: 'forex', pipSize, digits, ...terms };
}

/** The signals of one instrument. Runs of other instruments may use the same verifier. */
export class EngineRun {
  readonly #spec: InstrumentSpec;
  #verifier: Verifier;
  readonly #signals = new Map<string, Followed | readonly string[]>();
  /** Quotes and minutes in order of `seq`, and the gaps: what store and tape keep. */
  readonly #tape: (Event<'quote'> | Event<'bar'>)[] = [];
  readonly #gaps: GapVerdict[] = [];

  constructor(spec: InstrumentSpec, verifier = new Verifier([spec])) {
    this.#spec = spec;
    this.#verifier = verifier;
  }

  /** Whether the deadline of an active signal has passed: it waits for late quotes (J3). */
  get hasDue(): boolean {
    const latest = Math.max(...this.#tape.map(({ time }) => time));
    return [...this.#signals.keys()].some((id) => latest >= (this.#verifier.find(id)?.deadline ?? Infinity));
  }

  /** Continues with a new verifier from what is stored, as the service does after a restart. */
  restart(): void {
    const { symbol } = this.#spec;
    const before = this.#verifier;
    const orders = [...this.#signals.keys()]
      .map((id) => before.find(id))
      .filter((found) => found !== null)
      .sort((a, b) => a.order.accepted.seq - b.order.accepted.seq);
    this.#verifier = new Verifier([this.#spec]);
    for (const gap of this.#gaps) this.#verifier.restoreGap(gap);
    const addUntil = (seq: number): void => {
      while (orders[0] && orders[0].order.accepted.seq < seq) {
        const { order, progress } = orders.shift()!;
        this.#verifier.add(stored(order), stored(progress));
      }
    };
    for (const event of this.#tape) {
      addUntil(event.seq);
      const { seq, source } = event;
      const kept = engineEvent(event, symbol);
      if (kept.kind === 'tick') {
        const { time, bid, ask } = kept;
        this.#verifier.seedQuote(symbol, { kind: 'quote', seq, time, bid, ask, source });
      } else if (kept.kind === 'minute') this.#verifier.seedBar(symbol, kept.bar, seq, source);
    }
    addUntil(Number.POSITIVE_INFINITY);
    if (before.isDisconnected(symbol)) this.#verifier.markDisconnected([symbol]);
  }

  read(event: ScenarioEvent): void {
    switch (event.type) {
      case 'publish':
        this.#signals.set(event.signal, this.#publish(event));
        break;
      case 'amend':
      case 'close':
      case 'void': {
        const followed = this.#signals.get(event.signal);
        if (followed && 'order' in followed)
          followed.requests.push({ type: event.type, at: event.at, rejected: this.#request(event, followed) });
        break;
      }
      default: {
        const verdicts: Verdict[] = [];
        const source = 'source' in event ? event.source : 'sim';
        if (event.type === 'quote' || event.type === 'bar') this.#tape.push(event);
        this.#verifier.read({ firstSeq: event.seq, events: [engineEvent(event, this.#spec.symbol)], source }, verdicts);
        for (const verdict of verdicts)
          if (verdict.kind === 'gap') this.#gaps.push(verdict);
          else if (verdict.kind !== 'disconnect') (this.#signals.get(verdict.id) as Followed).verdicts.push(verdict);
      }
    }
  }

  answers(): Answer[] {
    return [...this.#signals].map(([signal, followed]) =>
      'order' in followed ? this.#describe(signal, followed) : { signal, rejected: followed },
    );
  }

  #isLive(at: number): boolean {
    const quote = this.#verifier.quote(this.#spec.symbol);
    return quote !== null && this.#verifier.isLive(this.#spec.symbol) && at - quote.time <= LIVE_MS;
  }

  #publish({ at, signal, publisher, request }: Event<'publish'>): Followed | readonly string[] {
    if (!this.#isLive(at)) return ['P1'];
    const { take_profit, targets: asked, breakeven_after, expires_at } = request;
    const targets = asked ?? [{ price: take_profit!, fraction: 1 }];
    if (asked && take_profit !== undefined && take_profit !== targets.at(-1)!.price) return ['P6'];
    const terms = {
      direction: request.direction,
      entry: request.entry ?? null,
      maxSlippage: request.max_slippage ?? null,
      stopLoss: request.stop_loss,
      targets,
      breakevenAfter: breakeven_after ?? null,
      expiresAt: expires_at === undefined ? null : asEpochMs(expires_at),
    };
    const order = acceptSignal(signal, this.#spec, this.#verifier.quote(this.#spec.symbol)!, terms, asEpochMs(at));
    if ('rejected' in order) return RULES[order.rejected];
    this.#verifier.add(order);
    return { order, publisher, requests: [], verdicts: [], voidedAt: null };
  }

  #request(event: Request, followed: Followed): readonly string[] {
    const { at, signal } = event;
    if (event.type === 'void') {
      if (followed.voidedAt !== null) return ['V2'];
      followed.voidedAt = at;
      this.#verifier.remove(signal);
      return [];
    }
    const active = this.#verifier.find(signal);
    if (!active) return ['closed'];
    const quote = this.#verifier.quote(this.#spec.symbol)!;
    if (event.type !== 'amend') {
      const { closeRequest, fill } = active.progress;
      const possible = fill ? this.#isLive(at) : !this.#verifier.isDisconnected(this.#spec.symbol);
      if (at >= active.deadline || closeRequest || !possible) return ['M2'];
      this.#verifier.requestClose(signal, { at: asEpochMs(at), quote });
      return [];
    }
    if (at >= active.deadline || !this.#isLive(at) || active.progress.amendments.length >= MAX_AMENDMENTS)
      return ['A1'];
    const accepted = acceptStop(active, this.#spec, quote, event.stop_loss);
    if (accepted === null) return ['same'];
    if ('rejected' in accepted) return accepted.rejected === 'finer_than_digits' ? ['fields'] : ['A2'];
    this.#verifier.amend(signal, { stopLoss: accepted.stopLoss, at: asEpochMs(at), quote });
    return [];
  }

  #describe(signal: string, { order, publisher, requests, verdicts, voidedAt }: Followed): Answer {
    const price = (ticks: number): number => fromTicks(ticks, this.#spec.digits);
    const active = this.#verifier.find(signal);
    const fill = verdicts.find(({ kind }) => kind === 'filled');
    const closing = verdicts.find(({ kind }) => kind === 'closed');
    const closed = closing?.kind === 'closed' ? this.#closing(order, publisher, closing) : null;
    const state = !active ? 'closed' : active.progress.fill ? 'open' : 'pending';
    return {
      signal,
      order: order.kind,
      quote: order.accepted.seq,
      entry_deadline: order.entryDeadline,
      deadline: order.deadline,
      state,
      requests,
      filled:
        fill?.kind === 'filled'
          ? { entry_price: price(fill.fill.price), filled_at: fill.fill.at, filled: fill.fill.evidence.seq }
          : null,
      exits: verdicts
        .filter((verdict) => verdict.kind === 'exited')
        .map(({ target, exit }) => ({
          target,
          fraction: exit.fraction / WHOLE,
          price: price(exit.price),
          exited_at: exit.at,
          decided: exit.evidence.seq,
        })),
      closed,
      ...(active && { stop_in_force: price(active.stopLoss) }),
      ...(voidedAt !== null && {
        voided: {
          entry_price: null,
          exit_price: null,
          ...NO_PROFIT,
          close_reason: 'voided',
          closed_at: closing?.kind === 'closed' ? closing.closedAt : voidedAt,
        },
      }),
    };
  }

  #closing(order: Order, publisher: string, verdict: ClosedVerdict): Readonly<Record<string, unknown>> {
    const { digits, pipSize } = this.#spec;
    const { fill, exits, bestExits, gap, recovered } = verdict;
    const profit = (parts: typeof exits) =>
      profitOf({ ...order, entryPrice: fill!.price, exits: parts, digits, pipSize });
    const last = exits.at(-1);
    return {
      reason: verdict.reason,
      closed_at: verdict.closedAt,
      decided: verdict.decided.seq,
      decided_seq: verdict.decidedSeq,
      entry_price: fill ? fromTicks(fill.price, digits) : null,
      exit_price: fill ? meanExitPrice(exits, digits) : null,
      ...(fill ? profit(exits) : NO_PROFIT),
      last_exit: last ? { fraction: last.fraction / WHOLE, price: fromTicks(last.price, digits) } : null,
      ...(bestExits && { pnl_best: profit(bestExits).pnl }),
      ...(gap && { gap_from: gap.from, gap_to: gap.to }),
      ...(recovered && { recovered }),
      ...(verdict.sources.includes(`push:${publisher}`) && { self_sourced: true }),
    };
  }
}

/** The value after a round trip through a store. */
const stored = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

type MarketEvent = Exclude<ScenarioEvent, Request | Event<'publish'>>;

function engineEvent(event: MarketEvent, symbol: MarketSymbol): EngineEvent {
  const time = asEpochMs(event.time);
  const symbols = [symbol];
  switch (event.type) {
    case 'quote': {
      const { bid, ask } = event;
      return { kind: 'tick', symbol, time, bid, ask, bidSize: 0, askSize: 0, volume: 0 };
    }
    case 'trade': {
      const { price, side } = event;
      const flow = { size: 1, sideMethod: null, cumulativeDelta: 0, imbalance: 0, absorption: null };
      return { kind: 'flow', symbol, time, price, side, ...flow };
    }
    case 'bar': {
      const { open, high, low, close, partial } = event;
      const bar = { time, open, high, low, close, volume: 0, ...(partial && { partial: true as const }) };
      return { kind: 'minute', symbol, bar } as EngineEvent;
    }
    case 'gap':
      return { kind: 'gap', symbols, time, from: asEpochMs(event.from), to: asEpochMs(event.to) };
    case 'backfilled':
      return { kind: 'backfilled', symbols, time, count: 0, from: time, to: time };
    case 'failover':
      return { kind: 'failover', symbols, time, source: 'other' };
    case 'disconnect':
      return { kind: 'disconnect', symbols, time };
    case 'clock':
      return { kind: 'clock', time };
  }
}
