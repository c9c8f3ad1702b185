// Records of practice signals that accounts have saved. They are stored as documents of the account, and deleted with it.
import { randomBytes } from 'node:crypto';
import {
  iso,
  type PracticeRecord,
  SAVED_RECORDS_PER_REPLAY,
  type SavedPractice,
  type SavedPracticeInfo,
} from '@tickwire/contract';
import type { Caller } from '../../access/caller.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { withStoreErrors } from '../../errors/store-error.ts';
import { DocumentLimitError, type DocumentStore, PRACTICE_KIND } from '../../store/document-store.ts';

export interface SavedPracticesOptions {
  readonly store: DocumentStore;
  readonly now: () => number;
}

export class SavedPractices {
  readonly #options: SavedPracticesOptions;

  constructor(options: SavedPracticesOptions) {
    this.#options = options;
  }

  async save(name: string, record: PracticeRecord, { account }: Caller): Promise<SavedPracticeInfo> {
    const { store, now } = this.#options;
    const at = Math.floor(now());
    const info = { id: `rec_${randomBytes(8).toString('hex')}`, name, saved_at: iso(at) };
    const value = JSON.stringify({ ...info, record } satisfies SavedPractice);
    const documents = account.tier.replays * SAVED_RECORDS_PER_REPLAY;
    const place = { accountId: account.id, kind: PRACTICE_KIND, name: info.id, base: 0 };
    const limits = { documents, bytes: Number.MAX_SAFE_INTEGER };
    await withStoreErrors(async () => {
      try {
        await store.putDocument({ ...place, value, bytes: Buffer.byteLength(value), at, limits });
      } catch (error) {
        if (!(error instanceof DocumentLimitError)) throw error;
        const detail = `Your tier allows ${documents} saved records. Delete one first.`;
        throw new ServiceError('too_many_saved_records', detail);
      }
    });
    return info;
  }

  /** Oldest first. */
  async list({ account }: Caller): Promise<readonly SavedPractice[]> {
    const found = await withStoreErrors(() => this.#options.store.documents(account.id, PRACTICE_KIND, true));
    return found
      .map(({ value }) => JSON.parse(value!) as SavedPractice)
      .sort((a, b) => (a.saved_at < b.saved_at || (a.saved_at === b.saved_at && a.id < b.id) ? -1 : 1));
  }

  async delete(id: string, { account }: Caller): Promise<SavedPracticeInfo> {
    const { store } = this.#options;
    const found = await withStoreErrors(() => store.document(account.id, PRACTICE_KIND, id));
    const isDeleted = found && (await withStoreErrors(() => store.deleteDocument(account.id, PRACTICE_KIND, id)));
    if (!isDeleted)
      throw new ServiceError('saved_record_not_found', `There is no saved record ${JSON.stringify(id.slice(0, 64))}.`);
    const { record: _, ...info } = JSON.parse(found.value!) as SavedPractice;
    return info;
  }
}
