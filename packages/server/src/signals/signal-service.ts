// Publishes, closes and looks up signals. A signal is judged from the moment its quote is read, before it is stored, so
// that no tick is missed in between. If it cannot be stored, it is removed again.
import { randomBytes } from 'node:crypto';
import type { ActiveSignal, ClosedRecord, ClosedSignal, PublishedRecord, SignalRequest } from '@tickwire/contract';
import {
  acceptSignal,
  asEpochMs,
  type ClosedVerdict,
  DAY_MS,
  type EpochMs,
  type InstrumentSpec,
  type MarketSymbol,
  type Order,
  type QuoteEvidence,
  type Verdict,
  type Verifier,
} from '@tickwire/engine';
import { ServiceError } from '../errors/service-error.ts';
import { StoreError, withStoreErrors } from '../errors/store-error.ts';
import type { Batch, Journal } from '../journal/journal.ts';
import { FRESH_MS, noQuote, staleQuote } from '../market/stale-quote.ts';
import type { SignalStore, StoredSignal } from '../store/signal-store.ts';
import type { Ledger, LedgerItem } from './ledger.ts';
import {
  activeSignal,
  closedRecord,
  closedSignal,
  isRanked,
  parseRecord,
  publishedRecord,
  serializeFill,
  type UnchainedRecord,
} from './log-records.ts';
import type { LimitedPublisher, PublicationLimits, Publisher } from './publication-limits.ts';
import { type ClosingDetails, toSignalClosedEvent, toSignalEvent } from './signal-events.ts';

/** Signals are neither published nor closed against a quote older than this. */
/** How long a request to close waits for the store. */
const CLOSE_WAIT_MS = 5_000;
const IDEMPOTENCY_MS = DAY_MS;

export interface Idempotency {
  readonly key: string;
  readonly bodyHash: Uint8Array;
}

/** An active signal. */
interface Active {
  readonly spec: InstrumentSpec;
  readonly record: PublishedRecord | UnchainedRecord<PublishedRecord>;
}

export interface SignalServiceOptions {
  readonly instruments: readonly InstrumentSpec[];
  readonly verifier: Verifier;
  readonly ledger: Ledger;
  readonly store: SignalStore;
  readonly journal: Journal;
  /** Whether the market is within its trading hours. The age of the quote is checked separately. */
  readonly isOpen: (spec: InstrumentSpec, quote: QuoteEvidence) => boolean;
  /** Time of the newest quote if it was restored from the store and none has followed, else `null`. Default: `null`. */
  readonly restoredQuoteTime?: (symbol: MarketSymbol) => number | null;
  /** Whether a price jump of the symbol waits for confirmation: nothing is published or closed meanwhile. Default: no. */
  readonly isQuarantined?: (symbol: MarketSymbol) => boolean;
  /** Display name of a publisher. */
  readonly nameOf: (publisher: string) => string;
  readonly limits: PublicationLimits;
  /** Market time in milliseconds. */
  readonly now: () => number;
}

export class SignalService {
  readonly closedBy = new Map<string, number>();
  published = 0;
  readonly #options: SignalServiceOptions;
  readonly #specs: Map<string, InstrumentSpec>;
  readonly #active = new Map<string, Active>();
  /** Running publications by publisher and idempotency key: a repeated one waits for the first. */
  readonly #running = new Map<string, Promise<unknown>>();
  /** Closings that callers wait for, by signal. */
  readonly #waiting = new Map<string, PromiseWithResolvers<ClosedSignal>>();

  constructor(options: SignalServiceOptions) {
    this.#options = options;
    this.#specs = new Map(options.instruments.map((spec) => [spec.symbol, spec]));
  }

  /** Judges the active signals by the events of a batch. */
  readonly read = (batch: Batch): void => {
    const verdicts: Verdict[] = [];
    this.#options.verifier.read(batch, verdicts);
    for (const verdict of verdicts) this.recordVerdict(verdict);
  };

  /** Restores an active signal of an earlier run. */
  restore(record: PublishedRecord, spec: InstrumentSpec): void {
    this.#active.set(record.signal, { spec, record });
    this.#options.limits.restoreActive(record.publisher, record.symbol);
  }

  async publish(
    publisher: LimitedPublisher,
    request: SignalRequest,
    idempotency: Idempotency | null,
  ): Promise<ActiveSignal> {
    if (!idempotency) return this.#publish(publisher, request, null);
    const name = `${publisher.publicId} ${idempotency.key}`;
    while (this.#running.has(name)) await this.#running.get(name)!.catch(() => {});
    const work = this.#publishOnce(publisher, request, idempotency);
    this.#running.set(name, work);
    return work.finally(() => this.#running.delete(name));
  }

  /** Closes a filled signal at the market, or withdraws a pending one. */
  async close(publisher: Publisher, id: string): Promise<ClosedSignal> {
    const active = this.#active.get(id);
    if (!active) {
      const stored = await this.find(id);
      if (!stored) throw notFound(id);
      if (!this.#isOwnedBy(stored, publisher)) throw notOwner();
      // Until the closing is written it could still be lost.
      const waiting = this.#waiting.get(id);
      if (waiting) await withTimeout(waiting.promise);
      throw alreadyClosed(id);
    }
    if (active.record.publisher !== publisher.publicId) throw notOwner();
    const { verifier, journal, now } = this.#options;
    const order = verifier.order(id);
    // Past its deadline the signal has ended, even if the clock event that records it is still to come.
    if (!order || now() >= (order.fill ? order.deadline : order.entryDeadline)) throw alreadyClosed(id);
    if (this.#options.isQuarantined?.(order.symbol)) throw unconfirmed(order.symbol);
    if (order.fill) this.#liveQuote(active.spec);
    // Trades missed during the outage may have filled it.
    else if (verifier.isDisconnected(order.symbol)) throw cutOff(order.symbol);
    const verdict = verifier.close(id, asEpochMs(now()), journal.lastSeq);
    if (!verdict) throw alreadyClosed(id);
    const waiting = Promise.withResolvers<ClosedSignal>();
    this.#waiting.set(id, waiting);
    this.recordVerdict(verdict);
    return withTimeout(waiting.promise);
  }

  /** The signal, if its publisher closed or withdrew it; `null` if it is active or the market closed it. */
  async closedByPublisher(publisher: Publisher, id: string): Promise<ClosedSignal | null> {
    const stored = await this.find(id);
    if (!stored?.closed || !this.#isOwnedBy(stored, publisher)) return null;
    const [published, closing] = [
      parseRecord<PublishedRecord>(stored.published),
      parseRecord<ClosedRecord>(stored.closed),
    ];
    // An entry that expired closed at its deadline; one that was withdrawn closed before.
    const withdrawn = closing.reason === 'unfilled' && closing.closed_at !== published.entry_deadline;
    return closing.reason === 'manual' || withdrawn ? closedSignal(published, closing, publisher.name) : null;
  }

  async find(id: string): Promise<StoredSignal | undefined> {
    return withStoreErrors(() => this.#options.store.signal(id));
  }

  /** Queues a verdict of the verifier for the log. */
  recordVerdict(verdict: Verdict): void {
    const { ledger } = this.#options;
    if (verdict.kind === 'gap') {
      const { symbol, seq, from, to } = verdict;
      ledger.add({ seq, gap: { symbol, seq, from, to } });
    } else if (verdict.kind === 'filled') {
      const { id, fill, seq } = verdict;
      ledger.add({ seq, fill: { id, filledAt: fill.at, fill: serializeFill(fill) } });
    } else this.#close(verdict);
  }

  /** Deletes gaps that no active signal needs. */
  async forgetGaps(): Promise<void> {
    const { verifier, ledger, journal, store } = this.#options;
    const seq = Math.min(verifier.gapsNeededAfter, journal.lastSeq);
    // A closing that is not written yet is judged again after a crash, and then needs its gaps.
    await ledger.drain();
    if (!ledger.failure) await store.forgetGaps(seq);
  }

  async #publishOnce(
    publisher: LimitedPublisher,
    request: SignalRequest,
    idempotency: Idempotency,
  ): Promise<ActiveSignal> {
    const { store, now } = this.#options;
    const since = Math.floor(now()) - IDEMPOTENCY_MS;
    const before = await withStoreErrors(() => store.byIdempotencyKey(publisher.publicId, idempotency.key, since));
    if (!before) return this.#publish(publisher, request, idempotency);
    if (Buffer.compare(before.bodyHash, idempotency.bodyHash) !== 0)
      throw new ServiceError('idempotency_conflict', 'This Idempotency-Key was used before with another request body.');
    return activeSignal(JSON.parse(before.signal.published.text) as PublishedRecord, publisher.name);
  }

  async #publish(
    publisher: LimitedPublisher,
    request: SignalRequest,
    idempotency: Idempotency | null,
  ): Promise<ActiveSignal> {
    const { verifier, ledger, journal, nameOf, limits, now } = this.#options;
    const spec = this.#specs.get(request.symbol.toUpperCase());
    if (!spec)
      throw new ServiceError(
        'symbol_not_found',
        `There is no instrument ${JSON.stringify(request.symbol)}. GET /api/symbols lists all instruments.`,
      );
    const at = asEpochMs(now());
    limits.check(publisher, spec.symbol, at);
    const order = accepted(spec, this.#freshQuote(spec), request, at);
    const note = request.note ?? null;
    const record = publishedRecord(order, spec, { publisher: publisher.publicId, at, note });
    verifier.add(order);
    this.#active.set(order.id, { spec, record });
    limits.add(publisher.publicId, spec.symbol, at);
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
          onWritten: (stored) => {
            this.published++;
            journal.append([toSignalEvent(record, stored!.n, nameOf(publisher.publicId))]);
            resolve();
          },
          onFailed: reject,
        }),
      );
    } catch (error) {
      verifier.remove(order.id);
      limits.giveBack(publisher.publicId, at);
      if (this.#active.delete(order.id)) limits.close(publisher.publicId, spec.symbol);
      if (error instanceof StoreError)
        throw new ServiceError('store_unavailable', 'The signal could not be stored. Try again.');
      throw error;
    }
    return activeSignal(record as PublishedRecord, publisher.name);
  }

  #close(verdict: ClosedVerdict): void {
    const { ledger, limits, now } = this.#options;
    const active = this.#active.get(verdict.id);
    if (!active) return;
    this.#active.delete(verdict.id);
    limits.close(active.record.publisher, active.spec.symbol);
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
      ...fillBySameEvent(verdict),
      onWritten: (stored) =>
        this.#announceClosing(active.record, { closing: record, n: stored!.n, filledAt: verdict.fill?.at ?? null }),
    });
  }

  #announceClosing(published: Active['record'], closed: ClosingDetails): void {
    const { journal, nameOf } = this.#options;
    const { reason, signal, publisher } = closed.closing;
    this.closedBy.set(reason, (this.closedBy.get(reason) ?? 0) + 1);
    const event = toSignalClosedEvent(published, closed, nameOf(publisher));
    journal.append([event]);
    this.#waiting.get(signal)?.resolve(event.signal);
    this.#waiting.delete(signal);
  }

  /** The standing quote for a publication: live, and received since the service started; throws otherwise. */
  #freshQuote(spec: InstrumentSpec): QuoteEvidence {
    const { restoredQuoteTime, isQuarantined, now } = this.#options;
    const restored = restoredQuoteTime?.(spec.symbol) ?? null;
    if (restored !== null) throw staleQuote(spec.symbol, Math.max(0, now() - restored));
    if (isQuarantined?.(spec.symbol)) throw unconfirmed(spec.symbol);
    return this.#liveQuote(spec);
  }

  /** The standing quote if the market is open and live; throws otherwise. */
  #liveQuote(spec: InstrumentSpec): QuoteEvidence {
    const { verifier, isOpen, now } = this.#options;
    const { symbol } = spec;
    const quote = verifier.quote(symbol);
    if (!quote) throw noQuote(symbol);
    if (!isOpen(spec, quote)) throw new ServiceError('market_closed', `The market for ${symbol} is closed.`, LATER);
    if (!verifier.isLive(symbol)) throw cutOff(symbol);
    const age = now() - quote.time;
    if (age > FRESH_MS) throw staleQuote(symbol, age);
    return quote;
  }

  #isOwnedBy({ published }: StoredSignal, publisher: Publisher): boolean {
    return (JSON.parse(published.text) as PublishedRecord).publisher === publisher.publicId;
  }
}

/** If the event that filled a signal also closed it, the fill was not recorded before. */
function fillBySameEvent({ id, fill, reason, decided }: ClosedVerdict): Pick<LedgerItem, 'fill'> {
  const byTick = reason === 'stop_loss' || reason === 'take_profit';
  if (!byTick || !fill || fill.evidence !== decided) return {};
  return { fill: { id, filledAt: fill.at, fill: serializeFill(fill) } };
}

const LATER = { retryAfterSeconds: 60 };
const RETRY = { retryAfterSeconds: 1 };

const notOwner = (): ServiceError =>
  new ServiceError('not_your_signal', 'Only the publisher of a signal can close it.');
export const notFound = (id: string): ServiceError =>
  new ServiceError('signal_not_found', `There is no signal ${JSON.stringify(id.slice(0, 64))}.`);
const cutOff = (symbol: MarketSymbol): ServiceError =>
  new ServiceError('stale_quote', `The source of ${symbol} was disconnected and has sent no quote since.`, RETRY);
const unconfirmed = (symbol: MarketSymbol): ServiceError =>
  new ServiceError(
    'price_unconfirmed',
    `The price of ${symbol} has jumped, and no second quote has confirmed it yet.`,
    RETRY,
  );
/** The closing once it is written; rejects after CLOSE_WAIT_MS. */
async function withTimeout(closed: Promise<ClosedSignal>): Promise<ClosedSignal> {
  const late = Bun.sleep(CLOSE_WAIT_MS).then(() => {
    throw new ServiceError(
      'store_unavailable',
      'The signal is closed, but the closing is not stored yet. Ask again in a moment.',
    );
  });
  return Promise.race([closed, late]);
}
const alreadyClosed = (id: string): ServiceError =>
  new ServiceError('signal_closed', `Signal ${id} is already closed.`);

function accepted(spec: InstrumentSpec, quote: QuoteEvidence, request: SignalRequest, at: EpochMs): Order {
  const { direction, entry, stop_loss: stopLoss, take_profit: takeProfit, expires_at } = request;
  const expiresAt = expires_at === undefined ? null : asEpochMs(Date.parse(expires_at));
  const id = `sig_${randomBytes(8).toString('hex')}`;
  const result = acceptSignal(id, spec, quote, { direction, entry, stopLoss, takeProfit, expiresAt }, at);
  if ('rejected' in result) throw new ServiceError(result.rejected, result.detail);
  return result;
}
