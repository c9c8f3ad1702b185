// Reads calendar files when they change: checked at the interval of the sources.
import { open } from 'node:fs/promises';
import { MAX_FEED_BYTES } from '../../documents/parsed-feed.ts';
import { PolledDocument } from '../../documents/polled-document.ts';
import type { Source, SourceStatus } from '../../documents/source.ts';
import { type ReadDocumentOptions, readDocument } from './calendar-poller.ts';
import type { CalendarSource } from './calendar-source.ts';

/** Files are on this machine: they are checked more often than documents of others. */
const MAX_INTERVAL_MS = 60_000;

export interface FileWatcherOptions extends ReadDocumentOptions {
  readonly sources: readonly CalendarSource[];
  readonly intervalMs: number;
}

export class FileWatcher implements Source {
  readonly #options: FileWatcherOptions;
  readonly #files: readonly { readonly polled: PolledDocument<CalendarSource>; version: string }[];
  #timer: Timer | null = null;
  #running: Promise<void> | null = null;

  constructor(options: FileWatcherOptions) {
    this.#options = options;
    this.#files = options.sources.map((source) => ({ polled: new PolledDocument(source, 0), version: '' }));
  }

  start(): void {
    if (this.#files.length === 0) return;
    this.#timer = setInterval(() => this.#check(), Math.min(MAX_INTERVAL_MS, this.#options.intervalMs));
    this.#check();
  }

  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    await this.#running;
    for (const { polled } of this.#files) polled.stop();
  }

  statuses(): readonly SourceStatus[] {
    return this.#files.map(({ polled }) => ({ ...polled.status(), url: null }));
  }

  #check(): void {
    this.#running ??= this.#readAll().finally(() => {
      this.#running = null;
    });
  }

  async #readAll(): Promise<void> {
    const { now, intervalMs, log } = this.#options;
    for (const file of this.#files) {
      const { polled } = file;
      const result = await this.#read(file).catch((error: unknown) => String((error as Error).message));
      if (typeof result === 'number') {
        polled.received(result, now());
        polled.succeeded(now(), intervalMs, Math.random);
      } else if (polled.failed(result, now(), intervalMs, Math.random))
        log.warn('a calendar file cannot be read', { source: polled.source.name, why: result });
    }
  }

  /** Returns the number of changes, or why the file could not be read. */
  async #read(file: { readonly polled: PolledDocument<CalendarSource>; version: string }): Promise<number | string> {
    const { source } = file.polled;
    await using handle = await open(source.file!);
    const { mtimeMs, size, ino } = await handle.stat();
    const version = `${mtimeMs} ${size} ${ino}`;
    if (version === file.version) return 0;
    if (size > MAX_FEED_BYTES) return `too_large: more than ${MAX_FEED_BYTES} bytes`;
    const bytes = new Uint8Array(await handle.readFile());
    const result = await readDocument(source, { bytes, contentType: null, url: 'file:' }, this.#options);
    if (typeof result === 'number') file.version = version;
    return result;
  }
}
