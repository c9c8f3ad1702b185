// Everything that happens to signals: publications, requests, verdicts and signing keys, on one ledger.
import {
  type AmendRequest,
  type ClosedSignal,
  type CloseSignalRequest,
  type ClosingSignal,
  iso,
  type PublishedRecord,
  type PublishedSignal,
  type PublisherKeyRecord,
  RULES_VERSION,
  type SignalDetail,
  type SignalDraft,
  type SignalRequest,
  type SignalText,
  type SigningKey,
} from '@tickwire/contract';
import type { InstrumentSpec, Verdict, Verifier } from '@tickwire/engine';
import { withStoreErrors } from '../errors/store-error.ts';
import type { Batch, Journal } from '../journal/journal.ts';
import type { SignalStore, StoredSignal, StoredSigningKey } from '../store/signal-store.ts';
import { ActiveSignals, type ActiveSignalsOptions } from './active-signals.ts';
import type { Ledger } from './ledger.ts';
import type { UnchainedRecord } from './log-records.ts';
import type { LimitedPublisher, Publisher } from './publication-limits.ts';
import { type Idempotency, Publishing } from './publishing.ts';
import { readDetail } from './signal-history.ts';
import { notFound, SignalRequests, stored } from './signal-requests.ts';
import { type SignalTextReading, SignalTexts } from './signal-texts.ts';
import { SigningKeys } from './signing-keys.ts';
import { VerdictRecorder } from './verdict-recorder.ts';

export interface SignalServiceOptions extends ActiveSignalsOptions {
  readonly verifier: Verifier;
  readonly ledger: Ledger;
  readonly store: SignalStore;
  readonly journal: Journal;
  /** Signing keys of publishers. Default: none. */
  readonly signingKeys?: readonly StoredSigningKey[];
  /** Display name of a publisher. */
  readonly nameOf: (publisher: string) => string;
}

export class SignalService {
  readonly #options: SignalServiceOptions;
  readonly #keys: SigningKeys;
  readonly #active: ActiveSignals;
  readonly #recorder: VerdictRecorder;
  readonly #publishing: Publishing;
  readonly #requests: SignalRequests;
  readonly #texts: SignalTexts;

  constructor(options: SignalServiceOptions) {
    this.#options = options;
    this.#keys = new SigningKeys(options.signingKeys ?? []);
    this.#active = new ActiveSignals(options);
    const shared = { ...options, active: this.#active, keys: this.#keys };
    this.#recorder = new VerdictRecorder(shared);
    this.#publishing = new Publishing(shared);
    this.#texts = new SignalTexts(options);
    this.#requests = new SignalRequests({ ...shared, recorder: this.#recorder });
  }

  /** Closings by reason, for the metrics. */
  get closedBy(): ReadonlyMap<string, number> {
    return this.#recorder.closedBy;
  }

  get published(): number {
    return this.#publishing.published;
  }

  /** Judges the active signals by the events of a batch. */
  readonly read = (batch: Batch): void => {
    const verdicts: Verdict[] = [];
    this.#options.verifier.read(batch, verdicts);
    for (const verdict of verdicts) this.recordVerdict(verdict);
  };

  /** Queues a verdict of the verifier for the log. */
  recordVerdict(verdict: Verdict): void {
    this.#recorder.record(verdict);
  }

  /** Restores an active signal of an earlier run. */
  restore(record: PublishedRecord, spec: InstrumentSpec): void {
    this.#active.add({ spec, record });
    this.#options.limits.restoreActive(record.publisher, record.symbol);
  }

  publish(
    publisher: LimitedPublisher,
    request: SignalRequest,
    idempotency: Idempotency | null,
  ): Promise<PublishedSignal> {
    return this.#publishing.publish(publisher, () => request, idempotency);
  }

  /** Publishes the signal of a message, which cannot be signed. It is read when it is published, not when it is repeated. */
  publishText(
    publisher: LimitedPublisher,
    { text }: SignalText,
    idempotency: Idempotency | null,
  ): Promise<PublishedSignal> {
    this.#keys.requireNone(publisher.publicId, 'messages');
    return this.#publishing.publish(publisher, () => this.#texts.request(text), idempotency);
  }

  /** The signals of a message, which are not published. */
  drafts({ text }: SignalText): readonly SignalDraft[] {
    return this.#texts.drafts(text);
  }

  readText(text: string): SignalTextReading {
    return this.#texts.read(text);
  }

  /** Publishes the signal of a chat message, which cannot be signed. */
  publishChat(publisher: LimitedPublisher, request: SignalRequest, idempotency: Idempotency): Promise<PublishedSignal> {
    this.#keys.requireNone(publisher.publicId, 'messages');
    return this.#publishing.publish(publisher, () => request, idempotency);
  }

  /** The signal that was published with an idempotency key in the last 24 hours. */
  publishedWith(publisher: Publisher, key: string): Promise<PublishedSignal | null> {
    return this.#publishing.publishedWith(publisher, key);
  }

  /** Publishes the signal of a TradingView alert, which cannot be signed. */
  publishAlert(
    publisher: LimitedPublisher,
    request: SignalRequest,
    idempotency: Idempotency | null,
  ): Promise<PublishedSignal> {
    this.#keys.requireNone(publisher.publicId, 'TradingView alerts');
    return this.#publishing.publish(publisher, () => request, idempotency);
  }

  /** See SignalRequests. */
  close(publisher: Publisher, id: string, request?: CloseSignalRequest): Promise<ClosedSignal | ClosingSignal> {
    return this.#requests.close(publisher, id, request);
  }

  /** Like `close`, without waiting for the next quote. */
  async requestClose(publisher: Publisher, id: string): Promise<void> {
    await this.#requests.requestClose(publisher, id);
  }

  async amend(publisher: Publisher, id: string, request: AmendRequest): Promise<SignalDetail> {
    await this.#requests.amend(publisher, id, request);
    return this.detail(id);
  }

  async void(id: string, reason: string): Promise<SignalDetail> {
    await this.#requests.void(id, reason);
    return this.detail(id);
  }

  closedByPublisher(publisher: Publisher, id: string): Promise<ClosedSignal | ClosingSignal | null> {
    return this.#requests.closedByPublisher(publisher, id);
  }

  /** Registers, replaces or removes the signing key of a publisher. It is in force at once. */
  async setSigningKey(publisher: string, publicKey: string | null): Promise<SigningKey> {
    const { ledger } = this.#options;
    this.#keys.set(publisher, publicKey);
    const record: UnchainedRecord<PublisherKeyRecord> = {
      type: 'publisher_key',
      rules: RULES_VERSION,
      at: iso(ledger.timestamp()),
      publisher,
      public_key: publicKey,
    };
    const n = await stored(
      ledger.record({ seq: Number.POSITIVE_INFINITY, record, signingKey: { publisher, publicKey } }),
    );
    return { public_key: publicKey, n };
  }

  async find(id: string): Promise<StoredSignal | undefined> {
    return withStoreErrors(() => this.#options.store.signal(id));
  }

  async detail(id: string): Promise<SignalDetail> {
    const { store, nameOf } = this.#options;
    const detail = await readDetail(store, id, nameOf);
    if (!detail) throw notFound(id);
    return detail;
  }

  /** Deletes gaps that no active signal needs. */
  async forgetGaps(): Promise<void> {
    const { verifier, ledger, journal, store } = this.#options;
    const seq = Math.min(verifier.gapsNeededAfter, journal.lastSeq);
    // A closing that is not written yet is judged again after a crash, and then needs its gaps.
    await ledger.drain();
    if (!ledger.failure) await store.forgetGaps(seq);
  }
}
