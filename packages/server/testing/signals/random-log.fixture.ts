// A log of random signals in a random market with every kind of data loss, judged by the engine: targets, amendments, requests,
// signatures and voids. The market has large steps, so that signals close within a few events. Returns the tape too.
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { canonicalJson, RULES_VERSION } from '@tickwire/contract';
import {
  acceptSignal,
  acceptStop,
  asEpochMs,
  CATALOGUE,
  type EngineEvent,
  type EpochMs,
  fromTicks,
  MINUTE_MS,
  toTicks,
  type Verdict,
  Verifier,
} from '@tickwire/engine';
import { feedRecord } from '../../src/signals/signal-records.ts';
import type { EvidenceLine } from '../../src/signals/verify/evidence-line.ts';
import { Random } from './random.fixture.ts';
import { type ChainedLine, ChainedLog, isoTime, RecordBuilder, type Signed } from './record-builder.fixture.ts';

const SPEC = CATALOGUE.find(({ symbol }) => symbol === 'XAUUSD')!;
const { symbol, digits } = SPEC;
const START = Date.UTC(2026, 2, 2, 12);
/** Pushes some of the ticks. */
const PUSHER = 'pub_one';
/** Has a signing key. */
export const SIGNER = 'pub_signer';
const MAX_EXPIRY_MS = 5 * MINUTE_MS;

export interface RandomLog {
  readonly lines: readonly ChainedLine[];
  readonly tape: readonly EvidenceLine[];
  /** Reason and kind of evidence of each closing. */
  readonly closings: readonly string[];
  /** Types of all records. */
  readonly types: readonly string[];
}

export interface RandomLogOptions {
  readonly seed: number;
  readonly events: number;
  /** Share of the signals whose publisher has a signing key; a third by default. */
  readonly signed?: number;
}

export function randomLog(options: RandomLogOptions): RandomLog {
  const story = new Story(options);
  story.run(options.events);
  return story.result();
}

class Story {
  readonly #signed: number;
  readonly #random: Random;
  readonly #verifier = new Verifier([SPEC]);
  readonly #log = new ChainedLog();
  readonly #tape: EvidenceLine[] = [];
  readonly #closings: string[] = [];
  readonly #types: string[] = [];
  readonly #builders = new Map<string, RecordBuilder>();
  readonly #ended: string[] = [];
  readonly #privateKey: KeyObject;
  readonly #publicKey: string;
  #time = START;
  #seq = 100;
  #bid = 20_000;
  #spread = 2;
  #signedAt = 0;

  constructor({ seed, signed = 1 / 3 }: RandomLogOptions) {
    this.#signed = signed;
    this.#random = new Random(seed);
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    this.#privateKey = privateKey;
    this.#publicKey = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url').toString('hex');
    const common = { rules: RULES_VERSION, at: isoTime(START) };
    this.#write({ type: 'opened', ...common, log: 'log', realm: 'sim', public_key: 'ab'.repeat(32) });
    this.#write({ type: 'publisher_key', ...common, publisher: SIGNER, public_key: this.#publicKey });
  }

  run(events: number): void {
    for (let count = 0; count < events; count++) {
      this.#time += this.#whole(0, 3_000);
      const what = this.#random.next();
      if (what < 0.2) this.#publish();
      else if (what < 0.23) this.#trades();
      else if (what < 0.29) this.#bars();
      else if (what < 0.32) this.#close();
      else if (what < 0.4) this.#amend();
      else if (what < 0.44) this.#clock();
      else if (what < 0.445) this.#void();
      else if (what < 0.455) this.#gap();
      else this.#tick();
    }
  }

  result(): RandomLog {
    return { lines: this.#log.lines, tape: this.#tape, closings: this.#closings, types: this.#types };
  }

  #whole(from: number, to: number): number {
    return this.#random.whole(from, to);
  }

  #write(record: Parameters<ChainedLog['write']>[0]): void {
    this.#log.write(record);
    this.#types.push(record.type);
  }

  #hear(event: EngineEvent, source = this.#random.next() < 0.1 ? `push:${PUSHER}` : 'sim'): void {
    const verdicts: Verdict[] = [];
    const seq = ++this.#seq;
    this.#verifier.read({ firstSeq: seq, events: [event], source }, verdicts);
    if (event.kind === 'tick') this.#tape.push({ seq, time: event.time, bid: event.bid, ask: event.ask, source });
    if (event.kind === 'flow') this.#tape.push({ seq, time: event.time, price: event.price, side: event.side, source });
    if (event.kind === 'minute') {
      const { time, open, high, low, close, partial } = event.bar;
      this.#tape.push({ seq, time, open, high, low, close, ...(partial && { partial }) });
    }
    for (const verdict of verdicts) this.#record(verdict);
  }

  #record(verdict: Verdict): void {
    if (verdict.kind === 'gap' || verdict.kind === 'disconnect') {
      this.#write(feedRecord(verdict, this.#time));
      return;
    }
    const builder = this.#builders.get(verdict.id)!;
    if (verdict.kind === 'closed') {
      this.#ended.push(verdict.id);
      this.#closings.push(`${verdict.reason} ${verdict.decided.kind}${verdict.bestExits ? ' best' : ''}`);
      this.#write(builder.closed(verdict, this.#time));
    } else
      this.#write(
        verdict.kind === 'filled' ? builder.filled(verdict, this.#time) : builder.exited(verdict, this.#time),
      );
  }

  /** Some ticks come late. */
  #tick(): void {
    this.#bid += this.#whole(-12, 12);
    this.#spread = this.#whole(1, 4);
    const time = asEpochMs(this.#time - (this.#random.next() < 0.15 ? this.#whole(0, 8_000) : 0));
    const [bid, ask] = [this.#price(this.#bid), this.#price(this.#bid + this.#spread)];
    this.#hear({ kind: 'tick', symbol, time, bid, ask, bidSize: 0, askSize: 0, volume: 0 });
  }

  #trades(): void {
    this.#hear({ kind: 'disconnect', symbols: [symbol], time: asEpochMs(this.#time) });
    for (let count = this.#whole(1, 4); count > 0; count--) {
      this.#time += this.#whole(1, 900);
      this.#bid += this.#whole(-8, 8);
      const side = this.#random.next() < 0.5 ? 'buy' : 'sell';
      const price = this.#price(side === 'buy' ? this.#bid + this.#spread : this.#bid);
      const flow = { size: 1, sideMethod: null, cumulativeDelta: 0, imbalance: 0, absorption: null } as const;
      this.#hear({ kind: 'flow', symbol, time: asEpochMs(this.#time), price, side, ...flow });
    }
    this.#clock();
    this.#hear(backfilled(this.#time));
    // Signals may expire at the last of the trades.
    if (this.#random.next() < 0.5) this.#time += this.#whole(0, MINUTE_MS);
    this.#clock();
  }

  #gap(): void {
    const [time, symbols] = [asEpochMs(this.#time), [symbol]];
    this.#hear({ kind: 'disconnect', symbols, time });
    if (this.#random.next() < 0.5) this.#hear({ kind: 'failover', symbols, source: 'other', time });
    else this.#hear({ kind: 'gap', symbols, from: asEpochMs(time - this.#whole(1, 9_000)), to: time, time });
  }

  #bars(): void {
    this.#hear({ kind: 'disconnect', symbols: [symbol], time: asEpochMs(this.#time) });
    // Sometimes ticks have already judged a part of the first minute.
    let minute = this.#time - (this.#time % MINUTE_MS) + (this.#random.next() < 0.5 ? MINUTE_MS : 0);
    for (let count = this.#whole(1, 3); count > 0; count--, minute += MINUTE_MS) {
      const [open, end] = [this.#bid + this.#whole(-9, 9), this.#bid + this.#whole(-9, 9)];
      const [low, high] = [Math.min(open, end) - this.#whole(0, 15), Math.max(open, end) + this.#whole(0, 15)];
      const prices = {
        open: this.#price(open),
        high: this.#price(high),
        low: this.#price(low),
        close: this.#price(end),
      };
      const sums = { volume: 1, bidVolume: 0, askVolume: 0, basis: 'bid' } as const;
      const partial = count === 1 && this.#random.next() < 0.3 ? ({ partial: true } as const) : {};
      this.#time = Math.max(this.#time, minute + MINUTE_MS);
      this.#hear({ kind: 'minute', symbol, bar: { time: asEpochMs(minute), ...prices, ...sums, ...partial } }, 'sim');
      this.#bid = end;
    }
    this.#hear(backfilled(this.#time));
  }

  #clock(): void {
    this.#hear({ kind: 'clock', time: asEpochMs(this.#time) }, '');
  }

  #publish(): void {
    const quote = this.#liveQuote();
    if (!quote) return;
    const direction = this.#random.next() < 0.5 ? 'buy' : 'sell';
    const sign = direction === 'buy' ? 1 : -1;
    const isMarketOrder = this.#random.chance(0.25);
    const side = toTicks(direction === 'buy' ? quote.ask : quote.bid, digits);
    const entry = isMarketOrder ? side : this.#bid + this.#whole(-20, 20);
    const count = this.#random.next() < 0.6 ? this.#whole(2, 4) : 1;
    let level = entry;
    const targets = Array.from({ length: count }, (_, index) => {
      level += sign * this.#whole(1, 30);
      return { price: this.#price(level), fraction: index === count - 1 ? (100 - 20 * index) / 100 : 0.2 };
    });
    const terms = {
      direction,
      entry: isMarketOrder ? null : this.#price(entry),
      maxSlippage: isMarketOrder && this.#random.chance(0.8) ? this.#price(this.#whole(0, 8)) : null,
      stopLoss: this.#price(entry - sign * this.#whole(1, 30)),
      targets,
      breakevenAfter: count > 1 && this.#random.next() < 0.5 ? this.#whole(1, count - 1) : null,
      expiresAt: this.#random.next() < 0.6 ? this.#expiry() : null,
    } as const;
    const accepted = acceptSignal(`sig_${this.#log.lines.length}`, SPEC, quote, terms, asEpochMs(this.#time));
    if ('rejected' in accepted) return;
    const publisher = this.#random.chance(this.#signed) ? SIGNER : this.#random.of([PUSHER, 'pub_two']);
    const builder = new RecordBuilder(accepted, SPEC, publisher);
    this.#builders.set(accepted.id, builder);
    this.#verifier.add(accepted);
    const { entry: price, maxSlippage, stopLoss: stop_loss, expiresAt } = terms;
    const signed = this.#sign(publisher, {
      ...{ action: 'publish', symbol, direction, stop_loss },
      ...(price === null ? { order: 'market' } : { entry: price }),
      ...(maxSlippage !== null && { max_slippage: maxSlippage }),
      ...(count > 1 ? { targets } : { take_profit: targets[0]!.price }),
      ...(terms.breakevenAfter !== null && { breakeven_after: terms.breakevenAfter }),
      ...(expiresAt !== null && { expires_at: isoTime(expiresAt) }),
    });
    this.#write(builder.published(null, signed, isMarketOrder));
  }

  /** Some deadlines are at the end of a minute, where missed minutes end too. */
  #expiry(): EpochMs {
    const time = asEpochMs(this.#time + this.#whole(1, MAX_EXPIRY_MS));
    return this.#random.chance(0.2) ? asEpochMs(this.#time - (this.#time % MINUTE_MS) + MINUTE_MS) : time;
  }

  #amend(): void {
    const found = this.#pick();
    const quote = this.#liveQuote();
    if (!found || !quote || this.#time >= found.deadline) return;
    const { order } = found;
    const stop = found.stopLoss + (order.direction === 'buy' ? 1 : -1) * this.#whole(1, 8);
    const accepted = acceptStop(found, SPEC, quote, this.#price(stop));
    if (!accepted || 'rejected' in accepted) return;
    const builder = this.#builders.get(order.id)!;
    const amendment = { stopLoss: accepted.stopLoss, at: asEpochMs(this.#time), quote };
    this.#verifier.amend(order.id, amendment);
    const fields = { action: 'amend', signal: order.id, stop_loss: this.#price(stop) };
    this.#write(builder.amended(amendment, this.#sign(builder.publisher, fields)));
  }

  #close(): void {
    const found = this.#pick();
    if (!found || this.#time >= found.deadline) return;
    const { order, progress } = found;
    const quote = progress.fill ? this.#liveQuote() : this.#verifier.quote(symbol);
    if (!quote || progress.closeRequest || this.#verifier.isDisconnected(symbol)) return;
    const builder = this.#builders.get(order.id)!;
    const request = { at: asEpochMs(this.#time), quote };
    this.#verifier.requestClose(order.id, request);
    const signed = this.#sign(builder.publisher, { action: 'close', signal: order.id });
    this.#write(builder.closeRequested(request, signed));
  }

  /** An active signal, or one that was closed. */
  #void(): void {
    const id = this.#random.next() < 0.5 ? this.#pick()?.order.id : this.#ended.pop();
    if (id === undefined) return;
    this.#verifier.remove(id);
    this.#write(this.#builders.get(id)!.voided('a bad tick', this.#time));
  }

  #pick() {
    const active = [...this.#builders.keys()].filter((id) => this.#verifier.has(id));
    return active.length === 0 ? null : this.#verifier.find(active[this.#whole(0, active.length - 1)]!);
  }

  #liveQuote() {
    const quote = this.#verifier.quote(symbol);
    return quote && this.#verifier.isLive(symbol) && this.#time - quote.time <= MINUTE_MS ? quote : null;
  }

  #sign(publisher: string, fields: object): Signed | undefined {
    if (publisher !== SIGNER) return undefined;
    this.#signedAt = Math.max(this.#time - 500, this.#signedAt + 1);
    const signed_at = isoTime(this.#signedAt);
    const text = canonicalJson({ ...fields, publisher, signed_at });
    const signature = sign(null, Buffer.from(text), this.#privateKey).toString('hex');
    return { signed_at, signature, public_key: this.#publicKey };
  }

  #price(ticks: number): number {
    return fromTicks(ticks, digits);
  }
}

const backfilled = (time: number): EngineEvent => {
  const at = time as EpochMs;
  return { kind: 'backfilled', symbols: [symbol], count: 1, from: at, to: at, time: at };
};
