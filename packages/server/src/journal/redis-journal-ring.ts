// The newest entries of the journal at its writer, oldest first: those that Redis does not have yet, and as many of those it
// has as there is room for. When Redis comes back empty, the stream is filled again from here.

export interface RingEntry {
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly bytes: Buffer;
}

/** Taken off the front only now and then: it moves everything behind it. */
const SLACK = 1_024;

export class EntryRing {
  readonly #capacity: number;
  #entries: RingEntry[] = [];
  #head = 0;
  /** Place of the first entry that Redis is not known to have. */
  #unsent = 0;
  #bytes = 0;

  /** `capacity` in bytes; the newest entry is kept whatever its size. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Adds the newest; returns how many events went that Redis never had. */
  add(entry: RingEntry): number {
    this.#entries.push(entry);
    this.#bytes += entry.bytes.length;
    let lost = 0;
    while (this.#bytes > this.#capacity && this.#head < this.#entries.length - 1) {
      const gone = this.#entries[this.#head]!;
      this.#bytes -= gone.bytes.length;
      if (this.#head++ === this.#unsent) {
        this.#unsent++;
        lost += gone.lastSeq - gone.firstSeq + 1;
      }
    }
    if (this.#head > SLACK) {
      this.#entries = this.#entries.slice(this.#head);
      this.#unsent -= this.#head;
      this.#head = 0;
    }
    return lost;
  }

  /** The first that are to be sent, up to a number of entries and about a number of bytes. */
  unsent(most: number, bytes: number): RingEntry[] {
    let end = this.#unsent;
    for (let size = 0; end < this.#entries.length && end - this.#unsent < most && size < bytes; end++)
      size += this.#entries[end]!.bytes.length;
    return this.#entries.slice(this.#unsent, end);
  }

  get waiting(): number {
    return this.#entries.length - this.#unsent;
  }

  /** Events that wait, as long as they are dense. */
  get waitingEvents(): number {
    const first = this.#entries[this.#unsent];
    return first ? this.#entries.at(-1)!.lastSeq - first.firstSeq + 1 : 0;
  }

  /** seq of the first event here; null where there is none. */
  get firstSeq(): number | null {
    return this.#entries[this.#head]?.firstSeq ?? null;
  }

  /** Redis has everything up to `seq`. */
  sent(seq: number): void {
    while (this.#unsent < this.#entries.length && this.#entries[this.#unsent]!.lastSeq <= seq) this.#unsent++;
  }

  /** Redis has only what is up to `seq`; false where what follows it is gone here too. */
  rewind(seq: number): boolean {
    this.#unsent = this.#head;
    this.sent(seq);
    return this.#entries[this.#unsent]?.firstSeq === seq + 1 || this.waiting === 0;
  }

  /** Changes the bytes of all that wait. */
  relabel(change: (bytes: Buffer) => void): void {
    for (let at = this.#unsent; at < this.#entries.length; at++) change(this.#entries[at]!.bytes);
  }

  /** Redis has nothing. */
  rewindAll(): void {
    this.#unsent = this.#head;
  }
}
