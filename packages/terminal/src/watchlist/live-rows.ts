// Keeps the rows up to date. Only what can be seen is written, all of it at once and a few times a second at most: faster
// than that nobody reads, and at thousands of ticks a second a list that changes in every frame is painted in every frame.
// Trends are drawn once a second.
import { beat } from '../beat.ts';
import type { Workspace } from '../workspace.ts';
import type { WatchRow } from './watch-row.ts';

const WRITE_EVERY_MS = 120;
const DRAW_EVERY_MS = 1_000;

export class LiveRows {
  readonly #workspace: Workspace;
  readonly #rows: ReadonlyMap<string, WatchRow>;
  /** Symbols whose row does not show the last quote. At most as many as there are. */
  readonly #behind = new Set<string>();
  #later = false;
  /** Milliseconds as of `performance.now()`. */
  #writtenAt = Number.NEGATIVE_INFINITY;

  constructor(workspace: Workspace, rows: ReadonlyMap<string, WatchRow>, list: HTMLElement, signal: AbortSignal) {
    this.#workspace = workspace;
    this.#rows = rows;
    const sight = new IntersectionObserver((entries) => this.#look(entries), { root: list });
    for (const { element } of rows.values()) sight.observe(element);
    workspace.board.onChange((changed) => this.#hear(changed), signal);
    const drawing = setInterval(() => this.#draw(), DRAW_EVERY_MS);
    signal.addEventListener('abort', () => {
      sight.disconnect();
      clearInterval(drawing);
    });
  }

  /** All of it, as when numbers are to be set another way. */
  rewrite(): void {
    this.#hear(new Set(this.#rows.keys()));
  }

  /** All trends, as when the colours have changed. */
  redraw(): void {
    for (const row of this.#rows.values()) row.undrawn = true;
    this.#draw();
  }

  #hear(changed: ReadonlySet<string>): void {
    for (const symbol of changed) {
      this.#behind.add(symbol);
      const row = this.#rows.get(symbol);
      if (row) row.undrawn = true;
    }
    this.#write();
  }

  #look(entries: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting } of entries) {
      const row = this.#rows.get((target as HTMLElement).dataset.symbol ?? '');
      if (!row) continue;
      // Drawn as it comes into sight: a list that is scrolled shows no empty places.
      if (isIntersecting && !row.inSight && row.undrawn) row.draw(this.#workspace.dayOpens.trail(row.symbol));
      row.inSight = isIntersecting;
    }
    this.#write();
  }

  #write(): void {
    const now = performance.now();
    if (now - this.#writtenAt < WRITE_EVERY_MS) {
      // The last price of a burst is shown even if no other follows.
      this.#writeLater();
      return;
    }
    for (const symbol of this.#behind) {
      const row = this.#rows.get(symbol);
      if (!row?.inSight) continue;
      const quoted = this.#workspace.board.row(symbol);
      if (quoted) row.show(quoted, now);
      this.#behind.delete(symbol);
      this.#writtenAt = now;
    }
  }

  #writeLater(): void {
    if (this.#later) return;
    this.#later = true;
    beat.next(() => {
      this.#later = false;
      this.#write();
    });
  }

  #draw(): void {
    if (document.hidden) return;
    for (const row of this.#rows.values()) {
      if (!row.inSight || !row.undrawn) continue;
      const trail = this.#workspace.dayOpens.trail(row.symbol);
      row.draw(trail);
      // The history of it comes later, by itself.
      if (trail.length < 2) row.undrawn = true;
    }
  }
}
