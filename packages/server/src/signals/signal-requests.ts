// Requests about published signals: of their publishers, to close one or to tighten its stop, and of operators, to void one. A
// request is in force at once and stays queued until it is stored.
import {
  type AmendRequest,
  type ClosedRecord,
  type ClosedSignal,
  type CloseSignalRequest,
  type ClosingSignal,
  iso,
  type PublishedRecord,
} from '@tickwire/contract';
import { type ActiveOrder, acceptStop, SECOND_MS, type Verifier } from '@tickwire/engine';
import { ServiceError } from '../errors/service-error.ts';
import { withStoreErrors } from '../errors/store-error.ts';
import type { Journal } from '../journal/journal.ts';
import type { SignalStore, StoredSignal } from '../store/signal-store.ts';
import type { ActiveSignalRecord, ActiveSignals } from './active-signals.ts';
import type { Ledger } from './ledger.ts';
import { parseRecord } from './log-records.ts';
import type { Publisher } from './publication-limits.ts';
import { toSignalChangedEvent, toSignalClosedEvent } from './signal-events.ts';
import { amendedRecord, closeRequestedRecord, voidedRecord } from './signal-records.ts';
import type { CheckedSignature, SigningKeys } from './signing-keys.ts';
import type { VerdictRecorder } from './verdict-recorder.ts';
import { activeSignal, closedSignal } from './wire-signals.ts';

/** How long a request waits for the store, and `close` for the next quote. */
const WAIT_MS = 5 * SECOND_MS;
/** Amendments of one signal. */
export const MAX_AMENDMENTS = 100;

export interface SignalRequestsOptions {
  readonly active: ActiveSignals;
  readonly verifier: Verifier;
  readonly ledger: Ledger;
  readonly recorder: VerdictRecorder;
  readonly store: SignalStore;
  readonly journal: Journal;
  readonly keys: SigningKeys;
  /** Display name of a publisher. */
  readonly nameOf: (publisher: string) => string;
  /** Market time in milliseconds. */
  readonly now: () => number;
}

interface OwnSignal extends ActiveSignalRecord {
  readonly found: ActiveOrder;
  readonly signature: CheckedSignature;
}

export class SignalRequests {
  readonly #options: SignalRequestsOptions;
  /** Requests to close that are not stored yet, by signal: until then they could be lost. */
  readonly #unwritten = new Map<string, Promise<number>>();
  /** Voids that are not stored yet, by signal. */
  readonly #voiding = new Set<string>();

  constructor(options: SignalRequestsOptions) {
    this.#options = options;
  }

  /** Closes an open signal, or withdraws a pending one, with the next quote. Without one, it is still active after 5 s. */
  async close(publisher: Publisher, id: string, request?: CloseSignalRequest): Promise<ClosedSignal | ClosingSignal> {
    const requestedAt = performance.now();
    const requested = await this.requestClose(publisher, id, request);
    const waitMs = Math.max(0, requestedAt + WAIT_MS - performance.now());
    const closed = await Promise.race([requested.closed, Bun.sleep(waitMs).then(() => null)]);
    return closed ?? requested.signal;
  }

  /** The same, but resolves once the request is stored. `closed` resolves after the next quote. */
  async requestClose(
    publisher: Publisher,
    id: string,
    { signed }: CloseSignalRequest = {},
  ): Promise<{ signal: ClosingSignal; closed: Promise<ClosedSignal> }> {
    const { active, verifier, ledger, recorder, keys } = this.#options;
    const { spec, record, found, signature } = await this.#own(publisher, id, 'close', {}, signed);
    if (found.progress.closeRequest) {
      await this.#written(id);
      throw closeRequested(id);
    }
    const quote = found.progress.fill ? active.liveQuote(spec) : active.connectedQuote(spec);
    const request = { at: ledger.timestamp(), quote };
    const requested = closeRequestedRecord(request, record, signature.record);
    const closed = recorder.closing(id);
    verifier.requestClose(id, request);
    keys.accept(signature);
    const writing = ledger.record({ seq: NO_EVENT, record: requested, signed: signature.signed });
    this.#unwritten.set(id, writing);
    void writing.then(
      () => this.#unwritten.delete(id),
      () => this.#unwritten.delete(id),
    );
    await stored(writing);
    return { signal: { ...activeSignal(record, publisher.name), close_requested_at: requested.at }, closed };
  }

  /** Tightens the stop. Repeating the current stop is a no-op. */
  async amend(publisher: Publisher, id: string, { stop_loss, signed }: AmendRequest): Promise<void> {
    const { active, verifier, ledger, journal, keys, nameOf } = this.#options;
    const { spec, record, found, signature } = await this.#own(publisher, id, 'amend', { stop_loss }, signed);
    const quote = active.liveQuote(spec);
    const result = acceptStop(found, spec, quote, stop_loss);
    if (result === null) return;
    if ('rejected' in result) throw new ServiceError(result.rejected, result.detail);
    if (found.progress.amendments.length >= MAX_AMENDMENTS)
      throw new ServiceError('too_many_amendments', `The stop of ${id} was changed ${MAX_AMENDMENTS} times.`);
    const amendment = { stopLoss: result.stopLoss, at: ledger.timestamp(), quote };
    const amended = amendedRecord(amendment, record, signature.record);
    verifier.amend(id, amendment);
    keys.accept(signature);
    await stored(
      ledger.record({
        seq: NO_EVENT,
        record: amended,
        signed: signature.signed,
        onWritten: (written) => journal.append([toSignalChangedEvent(amended, written!.n, nameOf(record.publisher))]),
      }),
    );
  }

  async void(id: string, reason: string): Promise<void> {
    const { active, verifier, ledger, recorder, journal, nameOf } = this.#options;
    const signal = await this.#find(id);
    if (signal.voided || this.#voiding.has(id))
      throw new ServiceError('signal_voided', `Signal ${id} is already void.`);
    this.#voiding.add(id);
    const published = parseRecord<PublishedRecord>(signal.published);
    const before = signal.closed && parseRecord<ClosedRecord>(signal.closed);
    const at = ledger.timestamp();
    const record = voidedRecord(published, reason, at);
    verifier.remove(id);
    active.remove(id);
    await stored(
      ledger.record({
        // It is judged no more. If this is never written, later events must judge it again.
        seq: journal.lastSeq + 1,
        record,
        voided: { id, at },
        onWritten: (written) => {
          this.#voiding.delete(id);
          const event = toSignalClosedEvent(published, record, written!.n, nameOf(published.publisher), before);
          journal.append([event]);
          recorder.announceClosing(event.signal);
        },
      }),
    );
  }

  /** Resolves once a request to close is stored. */
  async #written(id: string): Promise<void> {
    const writing = this.#unwritten.get(id);
    if (writing) await stored(writing);
  }

  /** What a request to close led to; `null` if its publisher did not close it. */
  async closedByPublisher(publisher: Publisher, id: string): Promise<ClosedSignal | ClosingSignal | null> {
    const { store } = this.#options;
    const signal = await withStoreErrors(() => store.signal(id));
    if (!signal || signal.voided || !isOwnedBy(signal, publisher)) return null;
    const published = parseRecord<PublishedRecord>(signal.published);
    if (!signal.closed) {
      const requestedAt = this.#options.verifier.find(id)?.progress.closeRequest?.at;
      if (requestedAt === undefined) return null;
      await this.#written(id);
      return { ...activeSignal(published, publisher.name), close_requested_at: iso(requestedAt) };
    }
    const closing = parseRecord<ClosedRecord>(signal.closed);
    const withdrawn = closing.reason === 'unfilled' && closing.closed_at !== published.entry_deadline;
    return closing.reason === 'manual' || withdrawn ? closedSignal(published, closing, publisher.name) : null;
  }

  async #find(id: string): Promise<StoredSignal> {
    const signal = await withStoreErrors(() => this.#options.store.signal(id));
    if (!signal) throw notFound(id);
    return signal;
  }

  /** The active signal of a publisher; throws if it is not active, or not one of this publisher. */
  async #own(
    publisher: Publisher,
    id: string,
    action: 'close' | 'amend',
    fields: Readonly<Record<string, unknown>>,
    signed: AmendRequest['signed'],
  ): Promise<OwnSignal> {
    const { active, verifier, ledger, keys, recorder, now } = this.#options;
    const signal = active.get(id);
    if (!signal) {
      const known = await this.#find(id);
      if (!isOwnedBy(known, publisher)) throw notOwner();
      // Until the closing is written it could still be lost.
      if (!known.closed && !known.voided) await stored(recorder.closing(id));
      throw alreadyClosed(id);
    }
    if (signal.record.publisher !== publisher.publicId) throw notOwner();
    const found = verifier.find(id);
    // Past its deadline the signal has ended, even if the event that records it is still to come.
    if (!found || ledger.timestamp() >= found.deadline) throw alreadyClosed(id);
    const signature = keys.check(publisher.publicId, action, { signal: id, ...fields }, signed, now());
    return { ...signal, found, signature };
  }
}

/** No event decided it. */
const NO_EVENT = Number.POSITIVE_INFINITY;

const isOwnedBy = ({ published }: StoredSignal, { publicId }: Publisher): boolean =>
  parseRecord<PublishedRecord>(published).publisher === publicId;

const notOwner = (): ServiceError =>
  new ServiceError('not_your_signal', 'Only the publisher of a signal can close or amend it.');
export const notFound = (id: string): ServiceError =>
  new ServiceError('signal_not_found', `There is no signal ${JSON.stringify(id.slice(0, 64))}.`);
export const alreadyClosed = (id: string): ServiceError =>
  new ServiceError('signal_closed', `Signal ${id} is already closed.`);
export const closeRequested = (id: string): ServiceError =>
  new ServiceError(
    'close_requested',
    `Closing ${id} was requested before: the next quote of its instrument closes it.`,
  );

/** Rejects if it takes longer than 5 s. The request stays in force and is stored later. */
export async function stored<T>(written: Promise<T>): Promise<T> {
  const late = Bun.sleep(WAIT_MS).then(() => {
    throw new ServiceError('store_unavailable', 'The request is in force, but not stored yet. Ask again in a moment.');
  });
  return Promise.race([written, late]);
}
