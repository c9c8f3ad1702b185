// Handlers of requests that the signal service decides: publishing, closing, amending and voiding signals, signing keys, and proofs
// with the signed head of the log.
import {
  AmendRequest,
  type ClosedRecord,
  CloseSignalRequest,
  type PublishedRecord,
  SignalRequest,
  SignalText,
  SigningKeyRequest,
  TradingViewAlert,
  VoidRequest,
} from '@tickwire/contract';
import { actorOf, type Caller } from '../access/caller.ts';
import { withStoreErrors } from '../errors/store-error.ts';
import type { ApiResponse } from '../http/handler.ts';
import { type IdempotencyCache, idempotencyKey } from '../http/idempotency-cache.ts';
import { readJson, readOptionalJson } from '../http/json-body.ts';
import { sha256 } from '../ops/sha256.ts';
import type { AuditEntry } from '../store/audit-store.ts';
import type { SignalStore } from '../store/signal-store.ts';
import type { Ledger } from './ledger.ts';
import { parseRecord } from './log-records.ts';
import { logEntryJson } from './signal-handlers.ts';
import { notFound } from './signal-requests.ts';
import type { SignalService } from './signal-service.ts';

/** Stands for "no end yet" of an open signal. */
const LAST_DAY = '9999-12-31';

export interface PublishHandlersOptions {
  readonly service: SignalService;
  readonly ledger: Pick<Ledger, 'head'>;
  readonly store: SignalStore;
  /** Adds an entry to the audit log. */
  readonly audit: (entry: Omit<AuditEntry, 'at'>) => Promise<void>;
  readonly idempotency: IdempotencyCache;
  /** Throws if the caller is a session that must repeat its password first. */
  readonly requireConfirmed: (caller: Caller) => Promise<void>;
}

export class PublishHandlers {
  readonly #options: PublishHandlersOptions;

  constructor(options: PublishHandlersOptions) {
    this.#options = options;
  }

  async publish(request: Request, { account }: Caller): Promise<string> {
    const key = idempotencyKey(request);
    const { value, bytes } = await readJson(request, (raw) => ('text' in raw ? SignalText : SignalRequest));
    const idempotency = key === null ? null : { key, bodyHash: sha256(bytes) };
    const { service } = this.#options;
    return JSON.stringify(
      'text' in value
        ? await service.publishText(account, value, idempotency)
        : await service.publish(account, value, idempotency),
    );
  }

  /** The signals of a message. */
  async parse(request: Request): Promise<string> {
    const { value } = await readJson(request, SignalText);
    const items = this.#options.service.drafts(value);
    return JSON.stringify({ items, count: items.length });
  }

  /** Publishes the signal of a TradingView alert. */
  async publishAlert(request: Request, { account }: Caller): Promise<string> {
    const { value, bytes } = await readJson(request, TradingViewAlert);
    const { id, ...signal } = value;
    // A header cannot contain a line feed, so the id of an alert never equals an Idempotency-Key of the same account.
    const idempotency = id === undefined ? null : { key: `tradingview\n${id}`, bodyHash: sha256(bytes) };
    return JSON.stringify(await this.#options.service.publishAlert(account, signal, idempotency));
  }

  async close(id: string, request: Request, { account }: Caller): Promise<ApiResponse> {
    const { value, bytes } = await readOptionalJson(request, CloseSignalRequest);
    const work = async (): Promise<string> => JSON.stringify(await this.#options.service.close(account, id, value));
    const key = idempotencyKey(request);
    if (key === null) return closing(await work());
    const recover = async (): Promise<string | null> => {
      const closed = await this.#options.service.closedByPublisher(account, id);
      return closed && JSON.stringify(closed);
    };
    return closing(
      await this.#options.idempotency.once(
        account.id,
        key,
        sha256(Buffer.concat([Buffer.from(`close ${id}`), bytes])),
        work,
        recover,
      ),
    );
  }

  async amend(id: string, request: Request, { account }: Caller): Promise<string> {
    const { value, bytes } = await readJson(request, AmendRequest);
    const work = async (): Promise<string> => JSON.stringify(await this.#options.service.amend(account, id, value));
    const key = idempotencyKey(request);
    if (key === null) return work();
    const recover = async (): Promise<string | null> => {
      const detail = await this.#options.service.detail(id);
      return detail.current_stop_loss === value.stop_loss ? JSON.stringify(detail) : null;
    };
    return this.#options.idempotency.once(
      account.id,
      key,
      sha256(Buffer.concat([Buffer.from(`amend ${id}`), bytes])),
      work,
      recover,
    );
  }

  async void(id: string, request: Request, caller: Caller): Promise<string> {
    const { reason } = (await readJson(request, VoidRequest)).value;
    const detail = await this.#options.service.void(id, reason);
    await this.#options.audit({
      actor: actorOf(caller),
      action: 'signal voided',
      subject: `${id}: ${reason}`,
      account: detail.publisher,
    });
    return JSON.stringify(detail);
  }

  async setSigningKey(request: Request, caller: Caller): Promise<string> {
    const { public_key } = (await readJson(request, SigningKeyRequest)).value;
    await this.#options.requireConfirmed(caller);
    const { publicId } = caller.account;
    const key = await this.#options.service.setSigningKey(publicId, public_key);
    const action = public_key === null ? 'signing key removed' : 'signing key set';
    await this.#options.audit({ actor: actorOf(caller), action, subject: public_key ?? publicId, account: publicId });
    return JSON.stringify(key);
  }

  async proof(id: string): Promise<string> {
    const signal = await this.#options.service.find(id);
    if (!signal) throw notFound(id);
    const { symbol, quote } = parseRecord<PublishedRecord>(signal.published);
    const last = signal.closed ? parseRecord<ClosedRecord>(signal.closed).decided.time : LAST_DAY;
    const seals = await withStoreErrors(() =>
      this.#options.store.seals(symbol, quote.time.slice(0, 10), last.slice(0, 10)),
    );
    const records = (await withStoreErrors(() => this.#options.store.records([id]))).get(id)!;
    return `{"published":${logEntryJson(signal.published)},"closed":${signal.closed ? logEntryJson(signal.closed) : 'null'},"seals":[${seals
      .map(logEntryJson)
      .join(
        ',',
      )}],"head":${JSON.stringify(this.#options.ledger.head())},"note":${JSON.stringify(signal.note)},"records":[${records.map(logEntryJson).join(',')}]}`;
  }

  head(): string {
    return JSON.stringify(this.#options.ledger.head());
  }
}

/** A signal that is still active was not closed yet. */
const closing = (body: string): ApiResponse => ({
  body,
  status: (JSON.parse(body) as { status: string }).status === 'active' ? 202 : 200,
});
