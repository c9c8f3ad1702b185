// Publishes signals. A signal is judged from the moment its quote is read, before it is stored, so that no tick is missed in
// between. If it cannot be stored, it is removed again.
import { randomBytes } from 'node:crypto';
import { iso, type PublishedRecord, type PublishedSignal, type SignalRequest } from '@tickwire/contract';
import {
  acceptSignal,
  asEpochMs,
  DAY_MS,
  type EpochMs,
  type InstrumentSpec,
  type Order,
  type QuoteEvidence,
  type SignalTerms,
  type Verifier,
} from '@tickwire/engine';
import { ServiceError } from '../errors/service-error.ts';
import { StoreError, withStoreErrors } from '../errors/store-error.ts';
import type { Journal } from '../journal/journal.ts';
import { sha256Hex } from '../ops/sha256.ts';
import type { SignalStore } from '../store/signal-store.ts';
import type { ActiveSignals } from './active-signals.ts';
import type { Ledger } from './ledger.ts';
import { parseRecord } from './log-records.ts';
import type { LimitedPublisher, PublicationLimits, Publisher } from './publication-limits.ts';
import { toSignalEvent } from './signal-events.ts';
import { publishedRecord } from './signal-records.ts';
import type { CheckedSignature, SigningKeys } from './signing-keys.ts';
import { publishedSignal } from './wire-signals.ts';

const IDEMPOTENCY_MS = DAY_MS;

export interface Idempotency {
  readonly key: string;
  readonly bodyHash: Uint8Array;
}

export interface PublishingOptions {
  readonly active: ActiveSignals;
  readonly verifier: Verifier;
  readonly ledger: Ledger;
  readonly store: SignalStore;
  readonly journal: Journal;
  readonly limits: PublicationLimits;
  readonly keys: SigningKeys;
  /** Display name of a publisher. */
  readonly nameOf: (publisher: string) => string;
  /** Market time in milliseconds. */
  readonly now: () => number;
}

export class Publishing {
  published = 0;
  readonly #options: PublishingOptions;
  /** Running publications by publisher and idempotency key: a repeated one waits for the first. */
  readonly #running = new Map<string, Promise<unknown>>();

  constructor(options: PublishingOptions) {
    this.#options = options;
  }

  /** `request` is asked once it is known that this is no repetition. */
  async publish(
    publisher: LimitedPublisher,
    request: () => SignalRequest,
    idempotency: Idempotency | null,
  ): Promise<PublishedSignal> {
    if (!idempotency) return this.#publish(publisher, request, null);
    const name = `${publisher.publicId} ${idempotency.key}`;
    while (this.#running.has(name)) await this.#running.get(name)!.catch(() => {});
    const work = this.#publishOnce(publisher, request, idempotency);
    this.#running.set(name, work);
    return work.finally(() => this.#running.delete(name));
  }

  async publishedWith(publisher: Publisher, key: string): Promise<PublishedSignal | null> {
    const before = await this.#before(publisher, key);
    return before ? publishedSignal(parseRecord<PublishedRecord>(before.signal.published), publisher.name) : null;
  }

  #before({ publicId }: Publisher, key: string) {
    const { store, now } = this.#options;
    const since = Math.floor(now()) - IDEMPOTENCY_MS;
    return withStoreErrors(() => store.byIdempotencyKey(publicId, key, since));
  }

  async #publishOnce(
    publisher: LimitedPublisher,
    request: () => SignalRequest,
    idempotency: Idempotency,
  ): Promise<PublishedSignal> {
    const before = await this.#before(publisher, idempotency.key);
    if (!before) return this.#publish(publisher, request, idempotency);
    if (Buffer.compare(before.bodyHash, idempotency.bodyHash) !== 0)
      throw new ServiceError('idempotency_conflict', 'This Idempotency-Key was used before with another request body.');
    return publishedSignal(parseRecord<PublishedRecord>(before.signal.published), publisher.name);
  }

  async #publish(
    publisher: LimitedPublisher,
    requested: () => SignalRequest,
    idempotency: Idempotency | null,
  ): Promise<PublishedSignal> {
    const { active, verifier, ledger, journal, nameOf, limits, keys, now } = this.#options;
    const { publicId } = publisher;
    const request = requested();
    const spec = active.spec(request.symbol);
    const signature = keys.check(publicId, 'publish', signedFields(request, spec), request.signed, now());
    limits.check(publisher, spec.symbol, asEpochMs(now()));
    const quote = active.freshQuote(spec);
    const at = ledger.timestamp();
    const order = accepted(spec, quote, request, at);
    const record = publishedRecord(order, spec, { publisher: publicId, request, signed: signature.record });
    verifier.add(order);
    active.add({ spec, record });
    limits.add(publicId, spec.symbol, at);
    keys.accept(signature);
    try {
      await new Promise<void>((resolve, reject) =>
        ledger.add({
          seq: Number.POSITIVE_INFINITY,
          record,
          published: {
            id: order.id,
            publisher: publicId,
            symbol: order.symbol,
            at,
            quoteAt: order.accepted.time,
            note: request.note ?? null,
            idempotency,
          },
          signed: signature.signed,
          onWritten: (stored) => {
            this.published++;
            journal.append([toSignalEvent(record, stored!.n, nameOf(publicId))]);
            resolve();
          },
          onFailed: reject,
        }),
      );
    } catch (error) {
      this.#withdraw(order, publicId, at, signature);
      if (error instanceof StoreError)
        throw new ServiceError('store_unavailable', 'The signal could not be stored. Try again.');
      throw error;
    }
    return publishedSignal(record, publisher.name);
  }

  /** The publication was not stored, so it never happened. */
  #withdraw({ id }: Order, publisher: string, at: EpochMs, signature: CheckedSignature): void {
    const { active, verifier, limits, keys } = this.#options;
    verifier.remove(id);
    limits.giveBack(publisher, at);
    active.remove(id);
    keys.giveBack(signature);
  }
}

/** The fields of a publication that are signed: those that were sent, in the form that its record has. */
function signedFields(
  { signed: _, note, expires_at, ...sent }: SignalRequest,
  { symbol }: InstrumentSpec,
): Record<string, unknown> {
  return {
    ...sent,
    symbol,
    ...(expires_at !== undefined && { expires_at: iso(Date.parse(expires_at)) }),
    ...(note !== undefined && { note_sha256: sha256Hex(note) }),
  };
}

function accepted(spec: InstrumentSpec, quote: QuoteEvidence, request: SignalRequest, at: EpochMs): Order {
  const id = `sig_${randomBytes(8).toString('hex')}`;
  const result = acceptSignal(id, spec, quote, termsOf(request), at);
  if ('rejected' in result) throw new ServiceError(result.rejected, result.detail);
  return result;
}

/** The terms of a publication; throws if its targets contradict each other. */
export function termsOf({ direction, stop_loss, take_profit, targets, ...request }: SignalRequest): SignalTerms {
  if (targets && take_profit !== undefined && take_profit !== targets.at(-1)!.price)
    throw new ServiceError('invalid_targets', 'take_profit must be the price of the last target, or be left out.');
  const { expires_at } = request;
  return {
    direction,
    entry: request.order === 'market' ? null : request.entry!,
    maxSlippage: request.max_slippage ?? null,
    stopLoss: stop_loss,
    targets: targets ?? [{ price: take_profit!, fraction: 1 }],
    breakevenAfter: request.breakeven_after ?? null,
    expiresAt: expires_at === undefined ? null : asEpochMs(Date.parse(expires_at)),
  };
}
