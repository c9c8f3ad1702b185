// Progress of the run: a bar that redraws itself in a terminal, plain lines elsewhere.

const WIDTH = 24;
const CLEAR_LINE = '\r\x1b[2K';

export class BenchProgress {
  readonly #write: (text: string) => void;
  /** Whether the output redraws itself and can be updated every second. */
  readonly terminal: boolean;
  #total = 0;
  #done = 0;

  constructor(stream: { isTTY?: boolean; write(text: string): unknown }) {
    this.terminal = stream.isTTY === true;
    this.#write = (text) => {
      stream.write(text);
    };
  }

  /** Adds steps to the total. */
  expect(steps: number): void {
    this.#total += steps;
  }

  advance(): void {
    this.#done++;
  }

  /** Shows the current activity. */
  show(label: string): void {
    const share = this.#total === 0 ? 0 : Math.min(1, this.#done / this.#total);
    const percent = `${Math.round(share * 100)}`.padStart(3);
    if (this.terminal) {
      const filled = Math.round(share * WIDTH);
      this.#write(`${CLEAR_LINE}${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)} ${percent} %  ${label}`);
    } else this.#write(`[${percent} %] ${label}\n`);
  }

  /** Prints a permanent line. */
  say(line: string): void {
    this.#write(`${this.terminal ? CLEAR_LINE : ''}${line}\n`);
  }

  clear(): void {
    if (this.terminal) this.#write(CLEAR_LINE);
  }
}
