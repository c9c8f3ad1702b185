// Writes signed heads outside the log: as a line in a file and as a POST to a URL, on a schedule and once more at
// shutdown. Nothing is queued: an undelivered head is worthless once a newer one exists.
import { open } from 'node:fs/promises';
import type { LogHead } from '@tickwire/contract';
import type { Log } from '../ops/log.ts';

const POST_TIMEOUT_MS = 10_000;
/** Longer than any head. */
const LAST_LINE_BYTES = 4_096;

export interface HeadWriterOptions {
  /** The current head, signed; `null` while the log is empty. */
  readonly head: () => LogHead | null | Promise<LogHead | null>;
  readonly file: string | null;
  readonly webhook: string | null;
  readonly everyMs: number;
  readonly log: Log;
}

interface Destination {
  readonly name: string;
  readonly deliver: (head: LogHead) => Promise<void>;
  /** Identity of the head that was delivered last. */
  written: string;
  failing: boolean;
}

const identity = ({ log, n, hash }: LogHead): string => `${log} ${n} ${hash}`;

export class HeadWriter {
  readonly #options: HeadWriterOptions;
  readonly #destinations: Destination[] = [];
  #timer: ReturnType<typeof setInterval> | null = null;
  #writing: Promise<void> | null = null;

  constructor(options: HeadWriterOptions) {
    this.#options = options;
    const { file, webhook } = options;
    const add = (name: string, deliver: Destination['deliver']): number =>
      this.#destinations.push({ name, deliver, written: '', failing: false });
    if (file !== null) add(file, (head) => appendLine(file, head));
    if (webhook !== null) add(new URL(webhook).origin, (head) => post(webhook, head));
  }

  start(): void {
    if (this.#destinations.length > 0) this.#timer ??= setInterval(() => void this.write(), this.#options.everyMs);
  }

  /** Writes the head wherever it is not written yet. Calls made while a write runs share that write. Never rejects. */
  write(): Promise<void> {
    this.#writing ??= this.#write().finally(() => {
      this.#writing = null;
    });
    return this.#writing;
  }

  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
    await this.#writing;
    await this.write();
  }

  async #write(): Promise<void> {
    if (this.#destinations.length === 0) return;
    let head: LogHead | null;
    try {
      head = await this.#options.head();
    } catch (error) {
      this.#options.log.error('could not sign the head of the signal log', { error });
      return;
    }
    if (head) await Promise.all(this.#destinations.map((destination) => this.#deliver(destination, head)));
  }

  async #deliver(destination: Destination, head: LogHead): Promise<void> {
    if (destination.written === identity(head)) return;
    try {
      await destination.deliver(head);
      destination.written = identity(head);
      if (destination.failing) this.#options.log.info('heads are written again', { at: destination.name });
      destination.failing = false;
    } catch (error) {
      // Logged once per outage, not once per attempt.
      if (!destination.failing)
        this.#options.log.error('could not write a head; the next one is due on schedule', {
          at: destination.name,
          why: (error as Error).message,
        });
      destination.failing = true;
    }
  }
}

/** Appends the head unless it is the last line already, so that a restart writes nothing twice. */
async function appendLine(path: string, head: LogHead): Promise<void> {
  const file = await open(path, 'a+');
  try {
    const stats = await file.stat();
    const { size } = stats;
    // Heads are meant to be published, unlike the other files of the service.
    if (size === 0 && stats.isFile()) await file.chmod(0o644);
    const length = Math.min(size, LAST_LINE_BYTES);
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
    const end = buffer.toString('utf8');
    const last = end.trimEnd().split('\n').at(-1)!;
    if (isSame(last, head)) return;
    // A line that a crash cut off stays a line of its own.
    const seam = end === '' || end.endsWith('\n') ? '' : '\n';
    await file.appendFile(`${seam}${JSON.stringify(head)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
}

function isSame(line: string, head: LogHead): boolean {
  try {
    return identity(JSON.parse(line) as LogHead) === identity(head);
  } catch {
    return false;
  }
}

async function post(url: string, head: LogHead): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(head),
    signal: AbortSignal.timeout(POST_TIMEOUT_MS),
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`it responded with status ${response.status}`);
}
