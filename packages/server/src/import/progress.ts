// How far a long work is: a bar that is drawn over in a terminal, a line every few seconds elsewhere.

const BAR_MS = 100;
const LINE_MS = 3_000;
const BAR_WIDTH = 24;

export interface ProgressOptions {
  readonly label: string;
  readonly terminal: boolean;
  readonly write: (text: string) => void;
  readonly now?: () => number;
}

export const count = (value: number): string => Math.round(value).toLocaleString('en-US');

/** 0.4 s · 12 s · 2 min 5 s · 3 h 10 min */
export function duration(ms: number): string {
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

export class Progress {
  readonly #options: ProgressOptions;
  readonly #now: () => number;
  readonly #started: number;
  #shown: number;
  #drawn = false;

  constructor(options: ProgressOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#started = this.#now();
    this.#shown = this.#started;
  }

  get elapsedMs(): number {
    return this.#now() - this.#started;
  }

  /** `left`: milliseconds to go, where that is known better than by what is done so far. */
  update(done: number, total: number, rows: number, left?: number): void {
    const now = this.#now();
    const { terminal, write } = this.#options;
    if (now - this.#shown < (terminal ? BAR_MS : LINE_MS)) return;
    this.#shown = now;
    const part = total > 0 ? Math.min(1, done / total) : 1;
    const remaining = left ?? (part > 0 ? (this.elapsedMs / part) * (1 - part) : Number.NaN);
    const rate = `${count(rows / (this.elapsedMs / 1000))} rows/s`;
    const ready = `${String(Math.floor(part * 100)).padStart(3)}%`;
    const eta = Number.isNaN(remaining) ? '' : `, ${duration(remaining)} left`;
    const text = `${ready}  ${count(rows)} rows, ${rate}${eta}`;
    if (terminal) {
      const filled = Math.round(part * BAR_WIDTH);
      const bar = `${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)}`;
      // Back to the first column, and whatever stood there goes.
      write(`\r\u001b[K${this.#options.label} [${bar}] ${text}`);
      this.#drawn = true;
    } else write(`${this.#options.label} ${text}\n`);
  }

  /** Leaves the terminal's line to whatever comes next. */
  end(): void {
    if (this.#drawn) this.#options.write('\r\u001b[K');
  }
}
