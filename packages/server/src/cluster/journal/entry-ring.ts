// The newest journal entries in the memory of the writer, oldest first: those that Redis does not have yet, and as many earlier
// ones as fit. If Redis loses the stream, it is refilled from here.

export interface RingEntry {
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly bytes: Buffer;
}

/** Removed entries are dropped from the array only in bulk, because that moves all others. */
const SLACK = 1_024;

export class EntryRing {
  readonly #capacity: number;
  #entries: RingEntry[] = [];
  #head = 0;
  /** Index of the first entry that Redis has not confirmed. */
  #unsent = 0;
  #bytes = 0;

  /** `capacity` in bytes; the newest entry is always kept. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Adds an entry. Returns how many events were dropped that Redis never had. */
  add(entry: RingEntry): number {
    this.#entries.push(entry);
    this.#bytes += entry.bytes.length;
    let lost = 0;
    while (this.#bytes > this.#capacity && this.#head < this.#entries.length - 1) {
      const dropped = this.#entries[this.#head]!;
      this.#bytes -= dropped.bytes.length;
      if (this.#head++ === this.#unsent) {
        this.#unsent++;
        lost += dropped.lastSeq - dropped.firstSeq + 1;
      }
    }
    if (this.#head > SLACK) {
      this.#entries = this.#entries.slice(this.#head);
      this.#unsent -= this.#head;
      this.#head = 0;
    }
    return lost;
  }

  /** The next entries to send: at most `maxEntries`, and about `maxBytes`. */
  unsent(maxEntries: number, maxBytes: number): RingEntry[] {
    let end = this.#unsent;
    for (let size = 0; end < this.#entries.length && end - this.#unsent < maxEntries && size < maxBytes; end++)
      size += this.#entries[end]!.bytes.length;
    return this.#entries.slice(this.#unsent, end);
  }

  get waiting(): number {
    return this.#entries.length - this.#unsent;
  }

  /** Waiting events, if their numbers have no holes. */
  get waitingEvents(): number {
    const first = this.#entries[this.#unsent];
    return first ? this.#entries.at(-1)!.lastSeq - first.firstSeq + 1 : 0;
  }

  /** `seq` of the first event; `null` if the ring is empty. */
  get firstSeq(): number | null {
    return this.#entries[this.#head]?.firstSeq ?? null;
  }

  /** Redis has everything up to `seq`. */
  sent(seq: number): void {
    while (this.#unsent < this.#entries.length && this.#entries[this.#unsent]!.lastSeq <= seq) this.#unsent++;
  }

  /** Redis has only events up to `seq`. Returns false if those that follow are no longer here. */
  rewind(seq: number): boolean {
    this.#unsent = this.#head;
    this.sent(seq);
    return this.#entries[this.#unsent]?.firstSeq === seq + 1 || this.waiting === 0;
  }

  /** Changes the bytes of all waiting entries. */
  relabel(change: (bytes: Buffer) => void): void {
    for (let at = this.#unsent; at < this.#entries.length; at++) change(this.#entries[at]!.bytes);
  }

  /** Redis has nothing. */
  rewindAll(): void {
    this.#unsent = this.#head;
  }
}
