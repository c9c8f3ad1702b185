// Where signals are published, closed and looked up. A signal is under judgement from the moment its quote is read, before
// it is stored: no tick can slip in between. If it cannot be stored, it never was.
import { randomBytes } from 'node:crypto';
import type { ActiveSignal, ClosedRecord, ClosedSignal, PublishedRecord, SignalRequest } from '@tickwire/contract';
import {
  acceptSignal,
  asEpochMs,
  type ClosedVerdict,
  type EpochMs,
  type InstrumentSpec,
  type MarketSymbol,
  type Order,
  type QuoteEvidence,
  type Verdict,
  type Verifier,
} from '@tickwire/engine';
import { ApiError } from '../http/api-error.ts';
import { available } from '../http/available.ts';
import type { Batch, Journal } from '../journal/journal.ts';
import type { SignalStore, StoredSignal } from '../store/signal-store.ts';
import { StoreError } from '../store/store.ts';
import { type Closing, closingOf, publicationOf } from './announcements.ts';
import type { Ledger, LedgerItem } from './ledger.ts';
import {
  activeSignal,
  closedRecord,
  closedSignal,
  fillText,
  isRanked,
  publishedRecord,
  recordOf,
  type Unchained,
} from './records.ts';

/** A quote older than this is no market to enter or to leave. */
const FRESH_MS = 60_000;
/** A store that does not write in this time is not waited for. */
const CLOSE_WAIT_MS = 5_000;
const REMEMBERED_MS = 86_400_000;

export interface Publisher {
  /** Public id of the account. */
  readonly publicId: string;
  readonly name: string;
}

export interface Idempotency {
  readonly key: string;
  readonly bodyHash: Uint8Array;
}

/** What is known of a signal while it is active. */
interface Active {
  readonly spec: InstrumentSpec;
  readonly record: PublishedRecord | Unchained<PublishedRecord>;
}

export interface DeskOptions {
  readonly instruments: readonly InstrumentSpec[];
  readonly verifier: Verifier;
  readonly ledger: Ledger;
  readonly store: SignalStore;
  readonly journal: Journal;
  /** Whether a market keeps its hours now; a fresh quote is asked for besides. */
  readonly isOpen: (spec: InstrumentSpec, quote: QuoteEvidence) => boolean;
  /** Display name of a publisher. */
  readonly nameOf: (publisher: string) => string;
  readonly maxActive: number;
  /** Time of the market. */
  readonly now: () => number;
}

export class Desk {
  readonly closedBy = new Map<string, number>();
  published = 0;
  readonly #options: DeskOptions;
  readonly #specs: Map<string, InstrumentSpec>;
  readonly #active = new Map<string, Active>();
  /** Active signals of each publisher. */
  readonly #counts = new Map<string, number>();
  /** Publications under way by publisher and idempotency key: a second one waits for the first. */
  readonly #running = new Map<string, Promise<unknown>>();
  /** Closings that somebody waits for. */
  readonly #waiting = new Map<string, PromiseWithResolvers<ClosedSignal>>();

  constructor(options: DeskOptions) {
    this.#options = options;
    this.#specs = new Map(options.instruments.map((spec) => [spec.symbol, spec]));
  }

  /** Judges what the journal says. */
  readonly read = (batch: Batch): void => {
    const verdicts: Verdict[] = [];
    this.#options.verifier.read(batch, verdicts);
    for (const verdict of verdicts) this.enter(verdict);
  };

  /** Takes up a signal of an earlier run. */
  restore(record: PublishedRecord, spec: InstrumentSpec): void {
    this.#active.set(record.signal, { spec, record });
    this.#count(record.publisher, 1);
  }

  async publish(publisher: Publisher, request: SignalRequest, idempotency: Idempotency | null): Promise<ActiveSignal> {
    if (!idempotency) return this.#publish(publisher, request, null);
    const name = `${publisher.publicId} ${idempotency.key}`;
    while (this.#running.has(name)) await this.#running.get(name)!.catch(() => {});
    const work = this.#once(publisher, request, idempotency);
    this.#running.set(name, work);
    return work.finally(() => this.#running.delete(name));
  }

  /** Closes a signal at the market, or withdraws a pending one. */
  async close(publisher: Publisher, id: string): Promise<ClosedSignal> {
    const active = this.#active.get(id);
    if (!active) {
      const stored = await this.find(id);
      if (!stored) throw notFound(id);
      if (!this.#owned(stored, publisher)) throw notYours();
      // Until it is written it could still be lost.
      const waiting = this.#waiting.get(id);
      if (waiting) await inTime(waiting.promise);
      throw alreadyClosed(id);
    }
    if (active.record.publisher !== publisher.publicId) throw notYours();
    const { verifier, journal, now } = this.#options;
    const order = verifier.order(id);
    // Past its deadline it has ended, though the clock that writes it down may be a moment away.
    if (!order || now() >= (order.fill ? order.deadline : order.entryDeadline)) throw alreadyClosed(id);
    if (order.fill) this.#market(active.spec);
    // What was missed may have filled it already.
    else if (verifier.isCutOff(order.symbol)) throw cutOff(order.symbol);
    const verdict = verifier.close(id, asEpochMs(now()), journal.lastSeq);
    if (!verdict) throw alreadyClosed(id);
    const waiting = Promise.withResolvers<ClosedSignal>();
    this.#waiting.set(id, waiting);
    this.enter(verdict);
    return inTime(waiting.promise);
  }

  /** As its publisher closed or withdrew it; null where it is open, or the market closed it. */
  async closedByHand(publisher: Publisher, id: string): Promise<ClosedSignal | null> {
    const stored = await this.find(id);
    if (!stored?.closed || !this.#owned(stored, publisher)) return null;
    const [published, closing] = [recordOf<PublishedRecord>(stored.published), recordOf<ClosedRecord>(stored.closed)];
    // One that lapsed ended with its deadline, one that was withdrawn before it.
    const withdrawn = closing.reason === 'unfilled' && closing.closed_at !== published.entry_deadline;
    return closing.reason === 'manual' || withdrawn ? closedSignal(published, closing, publisher.name) : null;
  }

  async find(id: string): Promise<StoredSignal | undefined> {
    return available(() => this.#options.store.signal(id));
  }

  /** Writes down what the verifier found. */
  enter(verdict: Verdict): void {
    const { ledger } = this.#options;
    if (verdict.kind === 'gap') {
      const { symbol, seq, from, to } = verdict;
      ledger.add({ seq, gap: { symbol, seq, from, to } });
    } else if (verdict.kind === 'filled') {
      const { id, fill, seq } = verdict;
      ledger.add({ seq, fill: { id, filledAt: fill.at, fill: fillText(fill) } });
    } else this.#close(verdict);
  }

  /** Forgets gaps that concern no signal any more. */
  async forgetGaps(): Promise<void> {
    const { verifier, ledger, journal, store } = this.#options;
    const seq = Math.min(verifier.gapsNeededAfter, journal.lastSeq);
    // A closing that is not written yet is worked out again after a crash, and needs its gaps for that.
    await ledger.settle();
    if (!ledger.failure) await store.forgetGaps(seq);
  }

  async #once(publisher: Publisher, request: SignalRequest, idempotency: Idempotency): Promise<ActiveSignal> {
    const { store, now } = this.#options;
    const since = Math.floor(now()) - REMEMBERED_MS;
    const before = await available(() => store.byIdempotencyKey(publisher.publicId, idempotency.key, since));
    if (!before) return this.#publish(publisher, request, idempotency);
    if (Buffer.compare(before.bodyHash, idempotency.bodyHash) !== 0)
      throw new ApiError('idempotency_conflict', 'This Idempotency-Key came with another body before.');
    return activeSignal(JSON.parse(before.signal.published.text) as PublishedRecord, publisher.name);
  }

  async #publish(publisher: Publisher, request: SignalRequest, idempotency: Idempotency | null): Promise<ActiveSignal> {
    const { verifier, ledger, journal, nameOf, maxActive, now } = this.#options;
    const spec = this.#specs.get(request.symbol.toUpperCase());
    if (!spec)
      throw new ApiError(
        'symbol_not_found',
        `No instrument is called ${JSON.stringify(request.symbol)}; /api/symbols lists them.`,
      );
    const count = this.#counts.get(publisher.publicId) ?? 0;
    if (count >= maxActive)
      throw new ApiError('too_many_signals', `An account may have ${maxActive} active signals; this one has ${count}.`);
    const at = asEpochMs(now());
    const order = accepted(spec, this.#market(spec), request, at);
    const note = request.note ?? null;
    const record = publishedRecord(order, spec, { publisher: publisher.publicId, at, note });
    verifier.add(order);
    this.#active.set(order.id, { spec, record });
    this.#count(publisher.publicId, 1);
    try {
      await new Promise<void>((resolve, reject) =>
        ledger.add({
          seq: Number.POSITIVE_INFINITY,
          record,
          published: {
            id: order.id,
            publisher: publisher.publicId,
            symbol: order.symbol,
            at,
            quoteAt: order.accepted.time,
            filledAt: order.fill?.at ?? null,
            note,
            idempotency,
          },
          written: (stored) => {
            this.published++;
            journal.append([publicationOf(record, stored!.n, nameOf(publisher.publicId))]);
            resolve();
          },
          failed: reject,
        }),
      );
    } catch (error) {
      verifier.forget(order.id);
      if (this.#active.delete(order.id)) this.#count(publisher.publicId, -1);
      if (error instanceof StoreError) throw new ApiError('store_unavailable', 'The signal could not be stored.');
      throw error;
    }
    return activeSignal(record as PublishedRecord, publisher.name);
  }

  #close(verdict: ClosedVerdict): void {
    const { ledger, now } = this.#options;
    const active = this.#active.get(verdict.id);
    if (!active) return;
    this.#active.delete(verdict.id);
    this.#count(active.record.publisher, -1);
    const record = closedRecord(verdict, active.record as PublishedRecord, active.spec.digits, now());
    ledger.add({
      seq: verdict.decidedSeq,
      record,
      closed: {
        id: verdict.id,
        closedAt: verdict.closedAt,
        decidedAt: verdict.decided.time,
        reason: verdict.reason,
        pnlR: record.pnl_r,
        ranked: isRanked(record),
      },
      ...filledByTheSame(verdict),
      written: (stored) =>
        this.#tell(active.record, { closing: record, n: stored!.n, filledAt: verdict.fill?.at ?? null }),
    });
  }

  #tell(published: Active['record'], closed: Closing): void {
    const { journal, nameOf } = this.#options;
    const { reason, signal, publisher } = closed.closing;
    this.closedBy.set(reason, (this.closedBy.get(reason) ?? 0) + 1);
    const event = closingOf(published, closed, nameOf(publisher));
    journal.append([event]);
    this.#waiting.get(signal)?.resolve(event.signal);
    this.#waiting.delete(signal);
  }

  /** The standing quote of a market that is open and alive, or the error that says why there is none. */
  #market(spec: InstrumentSpec): QuoteEvidence {
    const { verifier, isOpen, now } = this.#options;
    const { symbol } = spec;
    const quote = verifier.quote(symbol);
    if (!quote) throw new ApiError('no_quote', `${symbol} has had no quote yet.`, RETRY);
    if (!isOpen(spec, quote)) throw new ApiError('market_closed', `The market of ${symbol} is closed.`, LATER);
    if (!verifier.isLive(symbol)) throw cutOff(symbol);
    const age = now() - quote.time;
    if (age > FRESH_MS)
      throw new ApiError('stale_quote', `The last quote of ${symbol} is ${Math.round(age / 1000)} s old.`, RETRY);
    return quote;
  }

  #owned({ published }: StoredSignal, publisher: Publisher): boolean {
    return (JSON.parse(published.text) as PublishedRecord).publisher === publisher.publicId;
  }

  #count(publisher: string, change: 1 | -1): void {
    const count = (this.#counts.get(publisher) ?? 0) + change;
    if (count > 0) this.#counts.set(publisher, count);
    else this.#counts.delete(publisher);
  }
}

/** A fill that its own event closed at once was not told before. */
function filledByTheSame({ id, fill, reason, decided }: ClosedVerdict): Pick<LedgerItem, 'fill'> {
  const judged = reason === 'stop_loss' || reason === 'take_profit';
  if (!judged || !fill || fill.evidence !== decided) return {};
  return { fill: { id, filledAt: fill.at, fill: fillText(fill) } };
}

const LATER = { headers: { 'Retry-After': '60' } };
const RETRY = { headers: { 'Retry-After': '1' } };

const notYours = (): ApiError => new ApiError('not_your_signal', 'Only its publisher can close a signal.');
export const notFound = (id: string): ApiError =>
  new ApiError('signal_not_found', `There is no signal ${JSON.stringify(id.slice(0, 64))}.`);
const cutOff = (symbol: MarketSymbol): ApiError =>
  new ApiError('stale_quote', `The source of ${symbol} was cut off, and no quote has come since.`, RETRY);
/** A closing, as soon as it is written. */
async function inTime(closed: Promise<ClosedSignal>): Promise<ClosedSignal> {
  const late = Bun.sleep(CLOSE_WAIT_MS).then(() => {
    throw new ApiError('store_unavailable', 'The signal is closed, and the closing waits to be written.');
  });
  return Promise.race([closed, late]);
}
const alreadyClosed = (id: string): ApiError => new ApiError('signal_closed', `Signal ${id} is closed already.`);

function accepted(spec: InstrumentSpec, quote: QuoteEvidence, request: SignalRequest, at: EpochMs): Order {
  const { direction, entry, stop_loss: stopLoss, take_profit: takeProfit, expires_at } = request;
  const expiresAt = expires_at === undefined ? null : asEpochMs(Date.parse(expires_at));
  const id = `sig_${randomBytes(8).toString('hex')}`;
  const result = acceptSignal(id, spec, quote, { direction, entry, stopLoss, takeProfit, expiresAt }, at);
  if ('refused' in result) throw new ApiError(result.refused, result.detail);
  return result;
}
