// The drawings of one instrument: shared by all charts of the page, stored with the account, and merged with what other devices
// have stored.
import { isConflict } from '../../services/account-documents.ts';
import type { StoredDocuments } from '../../services/stored-documents.ts';
import { type Drawing, MAX_DRAWINGS } from './drawing.ts';
import { type DrawingDocument, EMPTY, merged, parseDocument, serialise } from './drawing-document.ts';

export interface DrawingStoreOptions {
  readonly documents: StoredDocuments;
  readonly symbol: string;
  /** A request failed; it is repeated. */
  readonly onFailure: (error: unknown) => void;
  readonly now?: () => number;
}

/** The service stores 65,536 bytes in a document; the rest is for deletions. */
const MAX_BYTES = 60_000;
/** After the last change. */
const SETTLE_MS = 600;
const FIRST_RETRY_MS = 5_000;
const LAST_RETRY_MS = 60_000;
/** Attempts to store a change while other devices write in between. */
const MAX_CONFLICTS = 5;

export class DrawingStore {
  readonly symbol: string;
  readonly #options: DrawingStoreOptions;
  readonly #now: () => number;
  readonly #listeners = new Set<() => void>();
  #document: DrawingDocument = EMPTY;
  #changes = 0;
  #savedChanges = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #saving: Promise<void> | null = null;
  #retryMs = FIRST_RETRY_MS;
  #closed = false;

  constructor(options: DrawingStoreOptions) {
    this.#options = options;
    this.symbol = options.symbol;
    this.#now = options.now ?? Date.now;
  }

  /** The newest last. */
  get drawings(): readonly Drawing[] {
    return this.#document.drawings;
  }

  get unsaved(): boolean {
    return this.#changes !== this.#savedChanges;
  }

  find(id: string | null): Drawing | null {
    return this.drawings.find((drawing) => drawing.id === id) ?? null;
  }

  /** Why a drawing cannot be added; '' if it can. */
  noRoomFor(drawing: Drawing): string {
    const { drawings } = this.#document;
    if (drawings.length >= MAX_DRAWINGS)
      return `${this.symbol} has ${MAX_DRAWINGS} drawings, which is the maximum. Delete some first.`;
    const stored = serialise({ ...this.#document, drawings: [...drawings, drawing] }, this.#now());
    const bytes = new TextEncoder().encode(JSON.stringify(stored)).length;
    return bytes > MAX_BYTES ? `The drawings of ${this.symbol} have too much text. Delete some first.` : '';
  }

  onChange(signal: AbortSignal, listener: () => void): void {
    this.#listeners.add(listener);
    signal.addEventListener('abort', () => this.#listeners.delete(listener));
  }

  /** Adds or replaces drawings. */
  put(...drawings: readonly Drawing[]): void {
    const changed = this.#nextChange();
    const document = { drawings: drawings.map((drawing) => ({ ...drawing, changed })), deleted: [] };
    this.#change(merged(this.#document, document));
  }

  remove(...ids: readonly string[]): void {
    const changed = this.#nextChange();
    this.#change(merged(this.#document, { drawings: [], deleted: ids.map((id) => ({ id, changed })) }));
  }

  /** Reads what is stored, also by other devices. */
  async load(): Promise<void> {
    try {
      await this.#read();
    } catch (error) {
      this.#options.onFailure(error);
      this.#schedule(this.#nextRetry());
    }
  }

  /** Saves now what has not been saved, as when the page is left. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    if (!this.unsaved) return;
    await this.#saving;
    await this.#save();
  }

  /** The session has ended: nothing is saved or tried again. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  #change(document: DrawingDocument): void {
    this.#changes++;
    this.#show(document);
    this.#schedule(SETTLE_MS);
    this.#options.documents.unsaved?.write('drawings', this.symbol, this.#serialised).catch(() => {});
  }

  get #serialised(): object {
    return serialise(this.#document, this.#now());
  }

  #show(document: DrawingDocument): void {
    this.#document = document;
    for (const listener of this.#listeners) listener();
  }

  /** Later than every change known, whatever the clocks of the other devices say. */
  #nextChange(): number {
    const { drawings, deleted } = this.#document;
    return [...drawings, ...deleted].reduce((latest, { changed }) => Math.max(latest, changed + 1), this.#now());
  }

  #schedule(afterMs: number): void {
    clearTimeout(this.#timer);
    if (!this.#closed) this.#timer = setTimeout(() => void (this.unsaved ? this.#save() : this.load()), afterMs);
  }

  #nextRetry(): number {
    const wait = this.#retryMs;
    this.#retryMs = Math.min(LAST_RETRY_MS, 2 * wait);
    return wait;
  }

  async #read(): Promise<void> {
    const { documents, symbol } = this.#options;
    const read = async (from?: StoredDocuments): Promise<DrawingDocument> =>
      parseDocument(await from?.read('drawings', symbol), this.#now());
    const [stored, unsaved] = [await read(documents), await read(documents.unsaved)];
    const both = merged(this.#document, stored);
    if (JSON.stringify(both) !== JSON.stringify(this.#document)) this.#show(both);
    // The page was left before they were stored.
    const all = merged(both, unsaved);
    if (JSON.stringify(all) !== JSON.stringify(both)) this.#change(all);
  }

  async #save(): Promise<void> {
    if (this.#closed) return;
    // Changes made while it is being saved are saved after that.
    if (this.#saving) {
      await this.#saving;
      if (this.unsaved) this.#schedule(SETTLE_MS);
      return;
    }
    this.#saving = this.#write();
    try {
      await this.#saving;
      this.#retryMs = FIRST_RETRY_MS;
    } catch (error) {
      if (!this.#closed) this.#options.onFailure(error);
      this.#schedule(this.#nextRetry());
    } finally {
      this.#saving = null;
    }
  }

  async #write(): Promise<void> {
    const { documents, symbol } = this.#options;
    for (let conflicts = 0; ; conflicts++) {
      await this.#read();
      const changes = this.#changes;
      try {
        await documents.write('drawings', symbol, this.#serialised);
        this.#savedChanges = changes;
        if (!this.unsaved) await documents.unsaved?.remove('drawings', symbol);
        return;
      } catch (error) {
        if (!isConflict(error) || conflicts >= MAX_CONFLICTS) throw error;
      }
    }
  }
}
