// Documents of the signed-in account, the same on every device. A change is based on the revision that was read last. If another
// device has written since, a change of drawings rejects with `document_conflict`, and the caller reads, merges and writes again.
// A change is kept in this browser until it is stored, so that none is lost if the page is left or the service is down.
import { type CoreClient, type DocumentInfo, TickwireError } from '@tickwire/client';
import { isConnectionError } from '../ui/failure.ts';
import type { BrowserDocuments, DocumentKind, StoredDocuments } from './stored-documents.ts';

type Api = CoreClient['account']['documents'];
const KINDS: readonly DocumentKind[] = ['layout', 'drawings', 'watchlist', 'settings'];
/** A change that another device made so much later than an unsaved one is the valid one. */
const CLOCK_SKEW_MS = 60_000;
/** The parts of a page ask for their documents at about the same time: one request is enough. */
const LIST_MS = 1_000;

export const isConflict = (error: unknown): boolean =>
  error instanceof TickwireError && error.code === 'document_conflict';
const isMissing = (error: unknown): boolean => error instanceof TickwireError && error.code === 'document_not_found';

export interface BrowserParts {
  /** Documents that were stored while the person used an API key. They move to the account. */
  readonly earlier?: StoredDocuments;
  /** Changes of this account that are not stored yet. Those of the last visit are stored first. */
  readonly unsaved?: BrowserDocuments;
}

export class AccountDocuments implements StoredDocuments {
  readonly unsaved?: BrowserDocuments;
  readonly #api: Api;
  /** Revisions as last read or written; 0 for a document that does not exist. */
  readonly #revisions = new Map<string, number>();
  /** The last change of each document that is being written. */
  readonly #writing = new Map<string, Promise<void>>();
  readonly #moved: Promise<void>;
  /** The documents of all kinds, without their values. */
  #listed: {
    readonly until: number;
    readonly items: Promise<readonly DocumentInfo[]>;
    readonly asked: Set<string>;
  } | null = null;

  constructor(api: Api, { earlier, unsaved }: BrowserParts = {}) {
    this.#api = api;
    if (unsaved) this.unsaved = unsaved;
    this.#moved = this.#move(earlier).then(() => this.#restore());
  }

  async read(kind: DocumentKind, name: string): Promise<Readonly<Record<string, unknown>> | null> {
    await this.#moved;
    return this.#read(kind, name);
  }

  write(kind: DocumentKind, name: string, value: object): Promise<void> {
    return this.#change(kind, name, value);
  }

  remove(kind: DocumentKind, name: string): Promise<void> {
    return this.#change(kind, name, null);
  }

  /** Changes of one document are written one after the other: each is based on the one before. `null` deletes it. */
  async #change(kind: DocumentKind, name: string, value: object | null): Promise<void> {
    const key = keyOf(kind, name);
    // Drawings are kept by their owner, who merges them.
    const unsaved = kind === 'drawings' ? undefined : this.unsaved;
    unsaved?.write(kind, name, { at: Date.now(), value }).catch(() => {});
    const written = (this.#writing.get(key) ?? this.#moved).catch(() => {}).then(() => this.#store(kind, name, value));
    this.#writing.set(key, written);
    const error = await written.catch((failure: unknown) => failure);
    // A change that was refused is not tried again: the caller reports it.
    if (!isConnectionError(error) && this.#writing.get(key) === written) await unsaved?.remove(kind, name);
    return written;
  }

  #store(kind: DocumentKind, name: string, value: object | null): Promise<void> {
    return value ? this.#replace(kind, name, value) : this.#delete(kind, name);
  }

  async #replace(kind: DocumentKind, name: string, value: object): Promise<void> {
    const known = this.#revisions.get(keyOf(kind, name));
    // A caller that has read nothing replaces whatever there is.
    if (known === undefined) await this.#read(kind, name);
    try {
      await this.#write(kind, name, value);
    } catch (error) {
      // Drawings of two devices are merged by their owner. Of everything else the last change is valid.
      if (kind === 'drawings' || !isConflict(error)) throw error;
      await this.#read(kind, name);
      await this.#write(kind, name, value);
    }
  }

  async #delete(kind: DocumentKind, name: string): Promise<void> {
    try {
      await this.#api.remove(kind, name);
    } catch (error) {
      if (!isMissing(error)) throw error;
    } finally {
      this.#listed = null;
    }
    this.#revisions.set(keyOf(kind, name), 0);
  }

  async names(kind: DocumentKind): Promise<readonly string[]> {
    await this.#moved;
    return (await this.#list(kind, kind)).map(({ name }) => name).sort();
  }

  async #read(kind: DocumentKind, name: string): Promise<Readonly<Record<string, unknown>> | null> {
    const key = keyOf(kind, name);
    try {
      // Asking for a document that does not exist would be an error in the browser's console.
      if (!this.#revisions.get(key) && !(await this.#list(kind, key)).some((info) => info.name === name)) {
        this.#revisions.set(key, 0);
        return null;
      }
      const { value, revision } = await this.#api.get(kind, name);
      this.#revisions.set(key, revision);
      return value;
    } catch (error) {
      if (!isMissing(error)) throw error;
      this.#revisions.set(key, 0);
      return null;
    }
  }

  /** A list answers each question once: the second time, the answer may have changed. */
  async #list(kind: DocumentKind, question: string): Promise<readonly DocumentInfo[]> {
    if (!this.#listed || Date.now() > this.#listed.until || this.#listed.asked.has(question)) {
      const items = this.#api.list({ values: false }).then((list) => list.items);
      const listed = { until: Date.now() + LIST_MS, items, asked: new Set<string>() };
      this.#listed = listed;
      items.catch(() => {
        if (this.#listed === listed) this.#listed = null;
      });
    }
    this.#listed.asked.add(question);
    return (await this.#listed.items).filter((info) => info.kind === kind);
  }

  async #write(kind: DocumentKind, name: string, value: object): Promise<void> {
    const key = keyOf(kind, name);
    const based = this.#revisions.get(key) ?? 0;
    try {
      const { revision } = await this.#api.put(kind, name, { value: { ...value }, revision: based });
      this.#revisions.set(key, revision);
    } catch (error) {
      // Also if no response came: the change may have been stored. A caller that does not merge replaces it the next time.
      this.#revisions.delete(key);
      throw error;
    } finally {
      this.#listed = null;
    }
  }

  /** What the account already has stays as it is. */
  async #move(earlier: StoredDocuments | undefined): Promise<void> {
    await takeOut(earlier, KINDS, async (kind, name, value) => {
      if ((await this.#read(kind, name)) === null) await this.#write(kind, name, value);
    });
  }

  async #restore(): Promise<void> {
    await takeOut(
      this.unsaved,
      KINDS.filter((kind) => kind !== 'drawings'),
      async (kind, name, { at, value }) => {
        const stored = (await this.#list(kind, `restore ${name}`)).find((info) => info.name === name);
        if (stored && Date.parse(stored.updated) > Number(at) + CLOCK_SKEW_MS) return;
        await this.#store(kind, name, value as object | null);
      },
    );
  }
}

/** Takes documents out of the browser. One that cannot be stored stays, for the next visit. */
async function takeOut(
  documents: StoredDocuments | undefined,
  kinds: readonly DocumentKind[],
  take: (kind: DocumentKind, name: string, value: Readonly<Record<string, unknown>>) => Promise<void>,
): Promise<void> {
  for (const kind of kinds)
    for (const name of (await documents?.names(kind)) ?? []) {
      try {
        await take(kind, name, (await documents!.read(kind, name)) ?? {});
        await documents!.remove(kind, name);
      } catch {
        // The account's documents are used all the same.
      }
    }
}

const keyOf = (kind: DocumentKind, name: string): string => `${kind} ${name}`;
