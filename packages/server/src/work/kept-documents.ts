// Small texts that are kept as long as they are used: in this process, or for all gateways of a cluster (cluster/shared-documents.ts).

export interface KeptDocuments {
  /** Adds a document. Returns false if it exists, or if its owner has `limit` already. */
  add(owner: string, id: string, text: string, limit: number): Promise<boolean>;
  /** Reads a document, which is kept from now on for as long as a new one; `null` if there is none. */
  read(owner: string, id: string): Promise<string | null>;
  /** The same without its text. */
  touch(owner: string, id: string): Promise<void>;
  /** Replaces a document. Returns false if it is no longer `before`. */
  replace(owner: string, id: string, before: string, after: string): Promise<boolean>;
  remove(owner: string, id: string): Promise<void>;
  /** All documents of an owner, in no order. They are not kept any longer by it. */
  list(owner: string): Promise<readonly string[]>;
}

/** Documents of this process. One that was not used for `keptMs` is gone. */
export class LocalDocuments implements KeptDocuments {
  readonly #keptMs: number;
  readonly #now: () => number;
  readonly #byOwner = new Map<string, Map<string, { text: string; usedAt: number }>>();

  constructor(keptMs: number, now: () => number) {
    this.#keptMs = keptMs;
    this.#now = now;
  }

  async add(owner: string, id: string, text: string, limit: number): Promise<boolean> {
    this.#expire();
    const own = this.#byOwner.get(owner) ?? new Map();
    if (own.has(id) || own.size >= limit) return false;
    this.#byOwner.set(owner, own.set(id, { text, usedAt: this.#now() }));
    return true;
  }

  async read(owner: string, id: string): Promise<string | null> {
    this.#expire();
    const found = this.#byOwner.get(owner)?.get(id);
    if (!found) return null;
    found.usedAt = this.#now();
    return found.text;
  }

  async touch(owner: string, id: string): Promise<void> {
    await this.read(owner, id);
  }

  async replace(owner: string, id: string, before: string, after: string): Promise<boolean> {
    this.#expire();
    const found = this.#byOwner.get(owner)?.get(id);
    // Without waiting in between: others may replace it at the same time.
    if (found?.text !== before) return false;
    found.text = after;
    found.usedAt = this.#now();
    return true;
  }

  async remove(owner: string, id: string): Promise<void> {
    this.#byOwner.get(owner)?.delete(id);
  }

  async list(owner: string): Promise<readonly string[]> {
    this.#expire();
    return [...(this.#byOwner.get(owner)?.values() ?? [])].map(({ text }) => text);
  }

  #expire(): void {
    const oldest = this.#now() - this.#keptMs;
    for (const [owner, own] of this.#byOwner) {
      for (const [id, { usedAt }] of own) if (usedAt < oldest) own.delete(id);
      if (own.size === 0) this.#byOwner.delete(owner);
    }
  }
}
