// Finished files, kept on disk for a while: range readers such as DuckDB request a file part by part, and each part must come
// from the same file. The files have no name, so that they vanish with the process.
import { createHash } from 'node:crypto';
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServiceError } from '../../errors/service-error.ts';
import type { ReadWork } from '../../http/read-work.ts';
import { Slots } from '../../work/slots.ts';
import { Abandoned } from '../../work/work-scheduler.ts';

/** A request without `Range` gets a file of at most this age; of a range that has ended, of the second. */
const FRESH_MS = 5_000;
const FRESH_SETTLED_MS = 60_000;
/** A request with `Range` gets the file that the account got before, if it was used within this time and is not too old. */
const PINNED_MS = 10 * 60_000;
const MAX_AGE_MS = 60 * 60_000;
/** A file is not replaced while parts of it are read. */
const READING_MS = 30_000;
const MAX_FILES = 64;
const MAX_FILES_OF_ACCOUNT = 16;
/** Of files that are kept. Those that are read or written count as long as they use the disk, up to the second. */
const MAX_BYTES = 1024 ** 3;
const MAX_DISK_BYTES = 4 * MAX_BYTES;
/** Files that are being written at the same time. */
const MAX_WRITING = 4;
const MAX_WRITING_OF_ACCOUNT = 2;
const RETRY_SECONDS = 2;
const READ_BYTES = 262_144;

/** How far a file reaches at some of its rows. */
export interface RowMark {
  readonly rows: number;
  /** Time of the last row, in epoch milliseconds. */
  readonly time: number;
}

/** A file that is to be written. */
export interface FileContent {
  /** Written once, in order. */
  readonly pieces: AsyncIterable<Uint8Array>;
  /** Valid after the last piece. */
  readonly summary: () => FileSummary;
}

export interface FileSummary {
  readonly rows: number;
  readonly marks: readonly RowMark[];
  readonly gaps: number;
}

export interface FileRequest {
  /** Names the account and everything that the content depends on. */
  readonly key: string;
  /** A file that is being written for more rows or fewer is another one. */
  readonly maxRows: number;
  readonly account: string;
  /** Whether a part of the file is requested. */
  readonly isPart: boolean;
  /** Whether the range of the file has ended, so that its content hardly changes. */
  readonly isSettled: boolean;
  /** Aborted if the client no longer waits. */
  readonly signal: AbortSignal;
  readonly write: () => FileContent;
}

/** A file that is being written, as long as a request waits for it. */
class Writing {
  /** Requests that wait. */
  waiting = 0;
  file!: Promise<ExportFile>;

  get aborted(): boolean {
    return this.waiting <= 0;
  }
}

/** A file that stays until it is released. */
export class ExportFile {
  readonly size: number;
  /** Hash of the content. */
  readonly tag: string;
  readonly summary: FileSummary;
  readonly account: string;
  readonly madeAt: number;
  usedAt: number;
  /** When a part of it was last requested. */
  partAt = Number.NEGATIVE_INFINITY;
  readonly #handle: FileHandle;
  readonly #onClosed: () => void;
  #users = 0;
  #isDropped = false;

  constructor(options: {
    readonly handle: FileHandle;
    readonly size: number;
    readonly tag: string;
    readonly summary: FileSummary;
    readonly account: string;
    readonly now: number;
    readonly onClosed: () => void;
  }) {
    const { now } = options;
    this.#handle = options.handle;
    this.size = options.size;
    this.tag = options.tag;
    this.summary = options.summary;
    this.account = options.account;
    this.#onClosed = options.onClosed;
    this.madeAt = now;
    this.usedAt = now;
  }

  use(now: number): this {
    this.#users++;
    this.usedAt = now;
    return this;
  }

  release(): void {
    this.#users--;
    if (this.#isDropped && this.#users === 0) this.#close();
  }

  /** Closes the file once nobody uses it. */
  drop(): void {
    this.#isDropped = true;
    if (this.#users === 0) this.#close();
  }

  #close(): void {
    void this.#handle.close().finally(this.#onClosed);
  }

  async *read(start: number, end: number): AsyncGenerator<Uint8Array<ArrayBuffer>, void, void> {
    for (let at = start; at < end; ) {
      const length = Math.min(READ_BYTES, end - at);
      const { bytesRead, buffer } = await this.#handle.read(new Uint8Array(length), 0, length, at);
      if (bytesRead === 0) throw new Error('a file of the export cache is shorter than it was');
      yield buffer.subarray(0, bytesRead);
      at += bytesRead;
    }
  }
}

export class ExportFiles {
  readonly #reads: Pick<ReadWork, 'share'>;
  readonly #now: () => number;
  /** The least recently used first. */
  readonly #files = new Map<string, ExportFile>();
  readonly #writing = new Map<string, Writing>();
  readonly #slots = new Slots({ total: MAX_WRITING, perKey: MAX_WRITING_OF_ACCOUNT });
  /** Of all files that use the disk. */
  #bytes = 0;

  constructor(reads: Pick<ReadWork, 'share'>, now: () => number) {
    this.#reads = reads;
    this.#now = now;
  }

  /** The file of a request, from before or written now. Release it when it is no longer needed. Rejects with `Abandoned` after the signal. */
  async open(request: FileRequest): Promise<ExportFile> {
    const { account, signal } = request;
    if (signal.aborted) throw new Abandoned();
    this.#expire();
    const kept = this.#kept(request);
    if (kept) return kept.use(this.#now());
    const key = `${request.maxRows} ${request.key}`;
    let writing = this.#writing.get(key);
    if (!writing) {
      const release = this.#takeSlot(account);
      const onEnd = (): void => {
        this.#writing.delete(key);
        release();
      };
      const started = new Writing();
      const write = (): Promise<ExportFile> => this.#write(request, started);
      started.file = Promise.resolve()
        .then(() => this.#reads.share(account, started, write))
        .finally(onEnd);
      writing = started;
      this.#writing.set(key, started);
      void started.file.catch(() => {});
    }
    const leave = (): void => {
      writing.waiting--;
    };
    writing.waiting++;
    signal.addEventListener('abort', leave, { once: true });
    try {
      return (await writing.file).use(this.#now());
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  /** Closes all files that are not in use. */
  close(): void {
    for (const key of [...this.#files.keys()]) this.#drop(key);
  }

  #kept({ key, isPart, isSettled }: FileRequest): ExportFile | null {
    const file = this.#files.get(key);
    if (!file) return null;
    const now = this.#now();
    const isCurrent = now - file.madeAt <= (isSettled ? FRESH_SETTLED_MS : FRESH_MS);
    const isPinned = now - file.partAt <= READING_MS || (isPart && now - file.usedAt <= PINNED_MS);
    if (!isCurrent && !(isPinned && now - file.madeAt <= MAX_AGE_MS)) return null;
    if (isPart) file.partAt = now;
    this.#files.delete(key);
    this.#files.set(key, file);
    return file;
  }

  /** Returns what releases the slot. */
  #takeSlot(account: string): () => void {
    const release = this.#slots.take(account);
    if (release) return release;
    const own = this.#slots.usedBy(account);
    const why =
      own >= MAX_WRITING_OF_ACCOUNT
        ? `Your account is already reading ${own} files.`
        : `The service is already writing ${this.#slots.used} files.`;
    throw new ServiceError('too_many_downloads', why, { retryAfterSeconds: RETRY_SECONDS });
  }

  async #write({ key, account, write }: FileRequest, writing: Writing): Promise<ExportFile> {
    let size = 0;
    const handle = await temporaryFile();
    try {
      const { pieces, summary } = write();
      const hash = createHash('sha256');
      for await (const piece of pieces) {
        if (writing.aborted) throw new Abandoned();
        hash.update(piece);
        size += piece.length;
        this.#bytes += piece.length;
        this.#makeRoom();
        // A nearly full disk may take a part without an error.
        for (let at = 0; at < piece.length; ) at += (await handle.write(piece, at)).bytesWritten;
      }
      const tag = hash.digest('hex').slice(0, 32);
      const onClosed = (): void => {
        this.#bytes -= size;
      };
      const file = new ExportFile({ handle, size, tag, summary: summary(), account, now: this.#now(), onClosed });
      this.#keep(key, file);
      return file;
    } catch (error) {
      await handle.close();
      this.#bytes -= size;
      throw error;
    }
  }

  #keep(key: string, file: ExportFile): void {
    this.#drop(key);
    this.#files.set(key, file);
    const own = [...this.#files].filter(([, { account }]) => account === file.account);
    if (own.length > MAX_FILES_OF_ACCOUNT) this.#drop(own[0]![0]);
    if (this.#files.size > MAX_FILES) this.#drop(this.#files.keys().next().value!);
  }

  /** Drops the files that were not used for the longest time. Those that are being read still use the disk. */
  #makeRoom(): void {
    for (const oldest of [...this.#files.keys()]) {
      if (this.#bytes <= MAX_BYTES) return;
      this.#drop(oldest);
    }
    if (this.#bytes <= MAX_DISK_BYTES) return;
    const why = 'The files that others read and write now leave no room on the disk for this one.';
    throw new ServiceError('too_many_downloads', why, { retryAfterSeconds: RETRY_SECONDS });
  }

  #expire(): void {
    for (const [key, { usedAt }] of [...this.#files]) if (this.#now() - usedAt > PINNED_MS) this.#drop(key);
  }

  #drop(key: string): void {
    const file = this.#files.get(key);
    if (!file) return;
    this.#files.delete(key);
    file.drop();
  }
}

/** A file without a name. */
async function temporaryFile(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'tickwire-export-'));
  try {
    return await open(join(folder, 'file'), 'wx+', 0o600);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
