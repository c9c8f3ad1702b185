// The only writer of firings. A firing, its messages, the state of its alert and the marks are one transaction; only then are
// the journal and the delivery worker told. Firings of one turn of the event loop are written together, at once: the time
// from a tick to its message matters.
//
// While the store cannot write, firings wait in order. If too many wait, of one account or of all, new ones are left to the
// next start, which judges them again: their marks and the states of their alerts are not stored any more.
import { StoreError } from '../errors/store-error.ts';
import type { Log } from '../ops/log.ts';
import type {
  AlertMarks,
  AlertProgress,
  AlertStore,
  AlertWrite,
  FiringBound,
  FiringRow,
} from '../store/alert-store.ts';
import type { NewMessage } from '../store/delivery-store.ts';
import { Counts } from '../work/counts.ts';

/** Firings per transaction, which blocks the event loop while it runs. */
const BATCH = 250;
const RETRY_MS = 500;
const MAX_WAITING = 100_000;
const MAX_WAITING_OF_ACCOUNT = 20_000;
/** A firing that the store refuses so often, while it takes others, is given up. */
const MAX_REFUSED = 3;

export interface BuiltFiring {
  readonly row: FiringRow;
  readonly messages: readonly NewMessage[];
}

export interface NewFiring {
  readonly account: string;
  /** Id of the alert or subscription. */
  readonly alert: string;
  /** What is written. Called once, when it is this firing's turn: one event may fire thousands of alerts. */
  readonly build: () => BuiltFiring;
  /** State of the alert right after it fired; `null` for a subscription. */
  readonly progress: AlertProgress | null;
  /** Marks that may be stored as long as this firing is not: everything before its event. */
  readonly before: AlertMarks;
}

interface WaitingFiring extends NewFiring {
  built: BuiltFiring | null;
  /** Transactions with it so far. One that seemed to fail may have been committed. */
  attempts: number;
  /** How often the store refused it alone and took something else right afterwards. */
  refused: number;
}

export interface FiringWriterOptions {
  readonly store: Pick<AlertStore, 'write'>;
  /**
   * Resolves when the journal has everything so far for good. Without it, events that fired could be lost and their seq used
   * again. Default: it always has.
   */
  readonly published?: () => Promise<void>;
  /** How far everything was judged. */
  readonly marks: () => AlertMarks;
  /** How many firings an account may store. Default: no limit. */
  readonly boundOf?: (account: string) => FiringBound;
  /** Called with the firings that were written, and those that an earlier run had written. */
  readonly onWritten: (written: readonly FiringRow[], repeated: readonly BuiltFiring[]) => void;
  /** Pause after a failure, in milliseconds. Default: 500. */
  readonly retryMs?: number;
  readonly log: Log;
}

export class FiringWriter {
  /** Set while the store cannot write. */
  failure: Error | null = null;
  /** Firings that were written, and that were not: because too many waited, or because the store refused them. */
  written = 0;
  dropped = 0;
  /** Older firings that were removed because their account had too many. */
  removed = 0;
  readonly #options: FiringWriterOptions;
  #queue: WaitingFiring[] = [];
  readonly #waitingOf = new Counts();
  /** Smaller after a failure, to find a firing that the store refuses. */
  #batch = BATCH;
  #running: Promise<void> | null = null;
  /** The transaction that is under way. */
  #step: Promise<unknown> = Promise.resolve();
  #isSaving = false;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #stopped = false;
  /** What is left to the next start: everything behind these marks, and the alerts whose states must stay as they are. */
  #heldMarks: AlertMarks | null = null;
  readonly #heldAlerts = new Set<string>();

  constructor(options: FiringWriterOptions) {
    this.#options = options;
  }

  get waiting(): number {
    return this.#queue.length;
  }

  add(firing: NewFiring): void {
    if (this.#stopped) return;
    const ofAccount = this.#waitingOf.get(firing.account);
    // In order: what is behind a firing that was left out is left out as well.
    const isHeld = this.#heldAlerts.has(firing.alert);
    if (isHeld || this.#queue.length >= MAX_WAITING || ofAccount >= MAX_WAITING_OF_ACCOUNT) {
      this.#hold(firing);
      return;
    }
    this.#waitingOf.add(firing.account, 1);
    this.#queue.push({ ...firing, built: null, attempts: 0, refused: 0 });
    this.#running ??= this.#run();
  }

  /** Stores states and marks, unless firings wait: those store them. Returns whether it did. */
  async save(progress: readonly AlertProgress[]): Promise<boolean> {
    if (this.#running || this.#queue.length > 0 || this.#stopped) return false;
    this.#isSaving = true;
    const saving = this.#store({ firings: [], messages: [], progress, marks: this.#options.marks() });
    this.#step = saving;
    this.#running = saving
      .catch(() => {})
      .then(() => {
        this.#isSaving = false;
        this.#running = this.#queue.length > 0 ? this.#run() : null;
      });
    await saving;
    return true;
  }

  /**
   * Resolves when no write of the alert waits or is under way, so that the next write of it is the last. Rejects if the store
   * cannot write.
   */
  async settle(id: string): Promise<void> {
    while (this.#isSaving || this.#queue.some(({ alert }) => alert === id)) {
      if (!this.#running) throw this.failure ?? new StoreError('firings of the alert are not stored yet');
      await this.#step;
    }
  }

  /** Resolves when everything queued now is written or has failed. */
  async drain(): Promise<void> {
    while (this.#running) await this.#running;
  }

  /** Waits like `drain`, then retries nothing more. What is still queued is judged again after a restart. */
  async stop(): Promise<void> {
    await this.drain();
    this.#stopped = true;
    if (this.#timer) clearTimeout(this.#timer);
  }

  #hold({ account, alert, before }: NewFiring): void {
    this.#heldMarks ??= before;
    this.#heldAlerts.add(alert);
    if (this.dropped++ > 0) return;
    const waiting = this.#queue.length;
    this.#options.log.error('too many firings wait for the store: new ones are written after the next start', {
      ...{ account, waiting },
    });
  }

  async #run(): Promise<void> {
    try {
      do {
        // Firings of the same turn go into one transaction, and other work has its turn between two.
        this.#step = new Promise((resolve) => setImmediate(resolve));
        await this.#step;
        this.#step = this.#write(this.#queue.slice(0, this.#batch));
        await this.#step;
      } while (this.#queue.length > 0);
    } catch (error) {
      if (!this.failure) this.#options.log.error('firings of alerts cannot be stored; they stay queued', { error });
      this.failure = error instanceof Error ? error : new StoreError(String(error));
    } finally {
      this.#running = null;
      if (this.#queue.length > 0 && !this.#stopped)
        this.#timer ??= setTimeout(() => {
          this.#timer = null;
          this.#running ??= this.#run();
        }, this.#options.retryMs ?? RETRY_MS).unref();
    }
  }

  async #write(batch: readonly WaitingFiring[]): Promise<void> {
    const { marks, onWritten, log } = this.#options;
    const next = this.#queue[batch.length];
    // The last state of each alert.
    const progress = new Map(batch.flatMap((each) => (each.progress ? [[each.progress.id, each.progress]] : [])));
    const built = batch.map((each) => {
      each.built ??= each.build();
      return each.built;
    });
    let written: readonly FiringRow[];
    const write = {
      firings: built.map(({ row }) => row),
      messages: built.flatMap(({ messages }) => messages),
      progress: [...progress.values()],
      marks: next?.before ?? marks(),
    };
    try {
      written = await this.#store(write, () => {
        for (const each of batch) each.attempts++;
      });
    } catch (error) {
      this.#batch = Math.ceil(batch.length / 2);
      if (batch.length === 1 && (await this.#isRefused(batch[0]!, error))) return;
      throw error;
    }
    this.#batch = Math.min(BATCH, this.#batch * 2);
    this.#remove(batch.length);
    if (this.failure) log.info('firings of alerts are stored again', { waiting: this.#queue.length });
    this.failure = null;
    const ids = new Set(written.map(({ id }) => id));
    // One that was attempted before is this run's own: the attempt was committed after all.
    const isOwn = (at: number): boolean => ids.has(built[at]!.row.id) || batch[at]!.attempts > 1;
    const own = built.filter((_, at) => isOwn(at)).map(({ row }) => row);
    this.written += own.length;
    onWritten(
      own,
      built.filter((_, at) => !isOwn(at)),
    );
  }

  /** Gives a firing up that the store never takes, although it takes others: it would block all behind it. */
  async #isRefused(firing: WaitingFiring, error: unknown): Promise<boolean> {
    const { alert, account, before } = firing;
    try {
      await this.#store({ firings: [], messages: [], progress: [], marks: before });
    } catch {
      return false;
    }
    if (++firing.refused < MAX_REFUSED) return false;
    this.failure = null;
    this.#options.log.error('a firing is lost: the store refuses it', { alert, account, error });
    this.dropped++;
    this.#remove(1);
    return true;
  }

  #remove(count: number): void {
    for (const { account } of this.#queue.splice(0, count)) this.#waitingOf.add(account, -1);
  }

  async #store({ progress, marks, ...write }: AlertWrite, onAttempt?: () => void): Promise<readonly FiringRow[]> {
    const { store, published, boundOf } = this.#options;
    await published?.();
    onAttempt?.();
    const held = {
      progress: this.#heldAlerts.size === 0 ? progress : progress.filter(({ id }) => !this.#heldAlerts.has(id)),
      marks: this.#heldMarks ? notBeyond(this.#heldMarks, marks) : marks,
    };
    const { firings, removed } = await store.write({ ...write, ...held }, boundOf);
    this.removed += removed;
    return firings;
  }
}

const notBeyond = (held: AlertMarks, { judgedUntil, signalN, newsAt }: AlertMarks): AlertMarks => ({
  ...held,
  judgedUntil: Math.min(held.judgedUntil, judgedUntil),
  signalN: Math.min(held.signalN, signalN),
  newsAt: Math.min(held.newsAt, newsAt),
});
