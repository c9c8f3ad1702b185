// Alerts of an earlier run that the replay of the tape has not reached yet.
import type { AlertRow } from '../store/alert-store.ts';
import { startOf } from './alert-rows.ts';

interface WaitingAlert {
  readonly row: AlertRow;
  readonly seq: number;
}

export class WaitingAlerts {
  readonly #waiting = new Map<string, WaitingAlert>();
  /** In order of `seq`, once the first is asked for. */
  #order: readonly WaitingAlert[] | null = null;
  #next = 0;

  get size(): number {
    return this.#waiting.size;
  }

  add(row: AlertRow): void {
    this.#waiting.set(row.id, { row, seq: startOf(row) });
    this.#order = null;
  }

  delete(id: string): void {
    this.#waiting.delete(id);
  }

  /** Takes the next alert whose state is from before an event; `undefined` if there is none. */
  take(before: number): AlertRow | undefined {
    if (!this.#order) {
      this.#order = [...this.#waiting.values()].sort((a, b) => a.seq - b.seq);
      this.#next = 0;
    }
    for (let next = this.#order[this.#next]; next && next.seq < before; next = this.#order[this.#next]) {
      this.#next++;
      if (this.#waiting.delete(next.row.id)) return next.row;
    }
    return undefined;
  }
}
