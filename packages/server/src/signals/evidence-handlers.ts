// Handlers for checking the signal log from outside: the tape of a day, and kept heads.
import { type EvidenceQuery, type HeadsQuery, iso, type KeptHead, type OpenedRecord } from '@tickwire/contract';
import type { MarketSymbol } from '@tickwire/engine';
import type { Caller } from '../access/caller.ts';
import { ServiceError } from '../errors/service-error.ts';
import { withStoreErrors } from '../errors/store-error.ts';
import type { ApiResponse } from '../http/handler.ts';
import { BodyStream } from '../http/streamed-response.ts';
import type { Store } from '../store/store.ts';
import { Slots } from '../work/slots.ts';
import { EvidenceArchive, type EvidenceArchiveOptions, type EvidenceOfDay } from './evidence-archive.ts';
import { keptHead } from './head.ts';
import { parseRecord } from './log-records.ts';

const MAX_DOWNLOADS = 16;
const MAX_DOWNLOADS_OF_ACCOUNT = 2;
const RETRY_SECONDS = 5;

export const NDJSON = 'application/x-ndjson';
export const EVIDENCE_SOURCE = 'Evidence-Source';
export const EVIDENCE_SHA256 = 'Evidence-SHA256';

export interface EvidenceHandlerOptions extends EvidenceArchiveOptions {
  readonly resolve: (code: string) => MarketSymbol | undefined;
}

/** Serves the tape of a day, to a bounded number of readers at a time. */
export class EvidenceHandler {
  readonly #archive: EvidenceArchive;
  readonly #resolve: EvidenceHandlerOptions['resolve'];
  /** Downloads in progress, by account. */
  readonly #downloads = new Slots<number>({ total: MAX_DOWNLOADS, perKey: MAX_DOWNLOADS_OF_ACCOUNT });

  constructor(options: EvidenceHandlerOptions) {
    this.#archive = new EvidenceArchive(options);
    this.#resolve = options.resolve;
  }

  async evidence(day: string, code: string, { after }: EvidenceQuery, caller: Caller): Promise<ApiResponse> {
    if (!isDay(day))
      throw new ServiceError('invalid_parameter', 'day must be a UTC day such as 2026-03-02', {
        errors: [{ parameter: 'day', value: day.slice(0, 100), allowed: 'a UTC day such as 2026-03-02' }],
      });
    const release = this.#start(caller);
    try {
      const { sha256, chunks } = await this.#find(day, code, after);
      return streamedEvidence(sha256, new BodyStream(chunks, release));
    } catch (error) {
      release();
      throw error;
    }
  }

  async #find(day: string, code: string, after: number): Promise<EvidenceOfDay> {
    const symbol = this.#resolve(code);
    const sealed = after < 0 ? await this.#archive.sealed(day, symbol ?? code) : null;
    if (sealed) return sealed;
    if (symbol === undefined)
      throw new ServiceError('symbol_not_found', `There is no instrument ${JSON.stringify(code.slice(0, 32))}.`);
    const onTape = await this.#archive.onTape(day, symbol, after);
    if (onTape) return onTape;
    throw new ServiceError('no_evidence', `There is no tape of ${symbol} for ${day}.`);
  }

  #start({ account: { id } }: Caller): () => void {
    const release = this.#downloads.take(id);
    if (release) return release;
    const own = this.#downloads.usedBy(id);
    const why =
      own >= MAX_DOWNLOADS_OF_ACCOUNT
        ? `Your account is already reading ${own} days of the tape.`
        : `The service is already serving ${this.#downloads.used} days of the tape.`;
    throw new ServiceError('too_many_downloads', why, { retryAfterSeconds: RETRY_SECONDS });
  }
}

/** `stream`: the lines in gzip. */
export const streamedEvidence = (sha256: string | null, stream: BodyStream): ApiResponse => ({
  body: stream,
  tag: sha256 ?? undefined,
  headers: {
    'Content-Type': NDJSON,
    [EVIDENCE_SOURCE]: sha256 === null ? 'tape' : 'sealed',
    ...(sha256 !== null && { [EVIDENCE_SHA256]: sha256 }),
  },
});

/** A date that exists. */
const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) && iso(Date.parse(text)).startsWith(text);

/** Lists kept heads. Works on every node, because they are in the store. */
export class KeptHeadHandlers {
  readonly #store: Pick<Store, 'signals' | 'heads'>;
  /** Name and key of the log, which never change. */
  #log: Pick<KeptHead, 'log' | 'public_key'> | null = null;

  constructor(store: Pick<Store, 'signals' | 'heads'>) {
    this.#store = store;
  }

  async list({ after, limit }: HeadsQuery): Promise<string> {
    const heads = await withStoreErrors(() => this.#store.heads.list(after, limit));
    const items: KeptHead[] = [];
    if (heads.length > 0) {
      const log = await this.#logIdentity();
      items.push(...heads.map((head) => keptHead(head, log)));
    }
    const next = heads.length === limit ? heads.at(-1)!.n : null;
    return JSON.stringify({ items, count: items.length, next });
  }

  async #logIdentity(): Promise<Pick<KeptHead, 'log' | 'public_key'>> {
    if (!this.#log) {
      const [first] = await withStoreErrors(() => this.#store.signals.log(-1, 1));
      const { log, public_key } = parseRecord<OpenedRecord>(first!);
      this.#log = { log, public_key };
    }
    return this.#log;
  }
}
