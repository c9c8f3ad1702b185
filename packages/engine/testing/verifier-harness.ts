// A verifier of one instrument with prices of two digits, fed one event at a time. Times are seconds after noon.
import type { EngineEvent } from '../src/market/events.ts';
import { asSymbol, type InstrumentSpec } from '../src/market/instrument.ts';
import { asEpochMs, type EpochMs } from '../src/market/time.ts';
import { acceptSignal, type SignalTerms } from '../src/signals/acceptance.ts';
import { NO_PROGRESS, type Order } from '../src/signals/order.ts';
import type { ClosedVerdict, Verdict } from '../src/signals/verdict.ts';
import { Verifier } from '../src/signals/verifier.ts';

export const EURUSD = asSymbol('EURUSD');
export const NOON = Date.UTC(2026, 2, 4, 12);
export const at = (second: number): EpochMs => asEpochMs(NOON + second * 1_000);
export const SPEC: InstrumentSpec = {
  symbol: EURUSD,
  name: 'Euro',
  type: 'forex',
  pipSize: 0.01,
  digits: 2,
  contractSize: 1,
  marginRate: 1,
  minLot: 1,
  maxLot: 1,
  hours: 'always',
};
const symbols = [EURUSD];
const TERMS: SignalTerms = {
  direction: 'buy',
  entry: 1.51,
  stopLoss: 1.4,
  targets: [{ price: 1.7, fraction: 1 }],
  breakevenAfter: null,
  expiresAt: null,
};

export class VerifierHarness {
  readonly verifier = new Verifier([SPEC]);
  /** All but disconnects. */
  readonly verdicts: Verdict[] = [];
  readonly disconnects: Verdict[] = [];
  seq = 0;

  /** The closing of a signal, if it has closed, with the price of its last exit. */
  closing(id: string): (ClosedVerdict & { readonly exitPrice: number | null }) | undefined {
    const closed = this.verdicts.find((each): each is ClosedVerdict => each.kind === 'closed' && each.id === id);
    return closed && { ...closed, exitPrice: closed.exits.at(-1)?.price ?? null };
  }

  /** Publishes a signal that waits for its fill. */
  submit(id: string, terms: Partial<SignalTerms>, second: number): Order {
    const order = this.#accept(id, terms, second);
    this.verifier.add(order);
    return order;
  }

  /** Publishes a signal; a market entry has filled at the quote it was accepted against. */
  publish(id: string, terms: Partial<SignalTerms>, second: number): Order {
    const order = this.#accept(id, terms, second);
    const { accepted, publishedAt, direction } = order;
    const price = Math.round((direction === 'buy' ? accepted.ask : accepted.bid) * 100);
    const fill = order.kind === 'market' ? { price, at: publishedAt, evidence: accepted } : null;
    this.verifier.add(order, { ...NO_PROGRESS, fill });
    return order;
  }

  quote(second: number, bid: number, ask: number): void {
    this.#send({ kind: 'tick', symbol: EURUSD, time: at(second), bid, ask, bidSize: 0, askSize: 0, volume: 0 });
  }

  trade(second: number, price: number, side: 'buy' | 'sell'): void {
    const flow = { size: 1, sideMethod: null, cumulativeDelta: 0, imbalance: 0, absorption: null } as const;
    this.#send({ kind: 'flow', symbol: EURUSD, time: at(second), price, side, ...flow });
  }

  /** A minute bar of a single price. */
  minute(second: number, price: number): void {
    const prices = { open: price, high: price, low: price, close: price };
    const sums = { volume: 1, bidVolume: 0, askVolume: 0, basis: 'bid' } as const;
    this.#send({ kind: 'minute', symbol: EURUSD, bar: { time: at(second), ...prices, ...sums } });
  }

  clock(second: number): void {
    this.#send({ kind: 'clock', time: at(second) });
  }

  disconnect(second: number): void {
    this.#send({ kind: 'disconnect', symbols, time: at(second) });
  }

  backfilled(second: number): void {
    const time = at(second);
    this.#send({ kind: 'backfilled', symbols, count: 1, from: time, to: time, time });
  }

  gap(from: number, to: number): void {
    this.#send({ kind: 'gap', symbols, from: at(from), to: at(to), time: at(to) });
  }

  failover(second: number): void {
    this.#send({ kind: 'failover', symbols, source: 'other', time: at(second) });
  }

  #accept(id: string, terms: Partial<SignalTerms>, second: number): Order {
    const order = acceptSignal(id, SPEC, this.verifier.quote(EURUSD)!, { ...TERMS, ...terms }, at(second));
    if ('rejected' in order) throw new Error(order.detail);
    return order;
  }

  #send(event: EngineEvent): void {
    const verdicts = event.kind === 'disconnect' ? this.disconnects : this.verdicts;
    this.verifier.read({ firstSeq: ++this.seq, events: [event], source: 'venue' }, verdicts);
  }
}
