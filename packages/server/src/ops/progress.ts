// The progress of a long command: a progress bar in a terminal, otherwise a line every few seconds.
import { plural } from '@tickwire/contract';

const BAR_MS = 100;
const LINE_MS = 3_000;
const BAR_WIDTH = 24;

export interface ProgressOptions {
  readonly label: string;
  readonly terminal: boolean;
  /** What is counted. Default: rows. */
  readonly unit?: string;
  readonly write: (text: string) => void;
  readonly now?: () => number;
}

/** `1,234`, or `1,234 rows` with a noun. */
export function formatCount(value: number, noun?: string): string {
  const shown = Math.round(value).toLocaleString('en-US');
  return noun === undefined ? shown : plural(value, noun, shown);
}

/** 0.4 s · 12 s · 2 min 5 s · 3 h 10 min */
export function formatDuration(ms: number): string {
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

export class ProgressBar {
  readonly #options: ProgressOptions;
  readonly #now: () => number;
  readonly #started: number;
  #shownAt: number;
  #drawn = false;

  constructor(options: ProgressOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#started = this.#now();
    this.#shownAt = this.#started;
  }

  get elapsedMs(): number {
    return this.#now() - this.#started;
  }

  /** `left`: remaining milliseconds, if known better than by extrapolation. */
  update(done: number, total: number, rows: number, left?: number): void {
    const now = this.#now();
    const { terminal, write, unit = 'rows' } = this.#options;
    if (now - this.#shownAt < (terminal ? BAR_MS : LINE_MS)) return;
    this.#shownAt = now;
    const part = total > 0 ? Math.min(1, done / total) : 1;
    const remaining = left ?? (part > 0 ? (this.elapsedMs / part) * (1 - part) : Number.NaN);
    const rate = `${formatCount(rows / (this.elapsedMs / 1000))} ${unit}/s`;
    const percent = `${String(Math.floor(part * 100)).padStart(3)}%`;
    const eta = Number.isNaN(remaining) ? '' : `, ${formatDuration(remaining)} left`;
    const text = `${percent}  ${formatCount(rows)} ${unit}, ${rate}${eta}`;
    if (terminal) {
      const filled = Math.round(part * BAR_WIDTH);
      const bar = `${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)}`;
      // Returns to the first column and clears the line.
      write(`\r\u001b[K${this.#options.label} [${bar}] ${text}`);
      this.#drawn = true;
    } else write(`${this.#options.label} ${text}\n`);
  }

  /** Clears the bar, so that the line is free for other output. */
  end(): void {
    if (this.#drawn) this.#options.write('\r\u001b[K');
  }
}

/** A progress bar on standard error. */
export const stderrProgress = (label: string, unit?: string): ProgressBar =>
  new ProgressBar({
    label,
    ...(unit && { unit }),
    terminal: process.stderr.isTTY,
    write: (text) => process.stderr.write(text),
  });
