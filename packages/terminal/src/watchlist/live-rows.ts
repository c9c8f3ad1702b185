// Keeps the visible rows up to date, all of them together and at most eight times a second: nobody reads faster, and every update
// costs a paint. Sparklines are drawn once a second.
import type { TerminalServices } from '../services/terminal-services.ts';
import { coalesced, frameScheduler } from '../ui/frame-scheduler.ts';
import type { WatchRow } from './watch-row.ts';

type Services = Pick<TerminalServices, 'quotes' | 'dayOpens'>;

const WRITE_EVERY_MS = 120;
const DRAW_EVERY_MS = 1_000;

export class LiveRows {
  readonly #services: Services;
  readonly #rows: ReadonlyMap<string, WatchRow>;
  /** Symbols whose row does not show the latest quote. */
  readonly #outdated = new Set<string>();
  readonly #scheduleWrite = coalesced(() => this.#write());
  /** By `performance.now()`. */
  #writtenAt = Number.NEGATIVE_INFINITY;

  constructor(services: Services, rows: ReadonlyMap<string, WatchRow>, list: HTMLElement, signal: AbortSignal) {
    this.#services = services;
    this.#rows = rows;
    const sight = new IntersectionObserver((entries) => this.#onVisibility(entries), { root: list });
    for (const { element } of rows.values()) sight.observe(element);
    services.quotes.onChange((changed) => this.#onChange(changed), signal);
    const drawing = setInterval(() => this.#draw(), DRAW_EVERY_MS);
    signal.addEventListener('abort', () => {
      sight.disconnect();
      clearInterval(drawing);
    });
  }

  /** Writes all rows again, after the number format has changed. */
  rewrite(): void {
    this.#onChange(new Set(this.#rows.keys()));
  }

  /** Draws all sparklines again, after the colours have changed. */
  redraw(): void {
    for (const row of this.#rows.values()) row.sparkOutdated = true;
    this.#draw();
  }

  #onChange(changed: ReadonlySet<string>): void {
    for (const symbol of changed) {
      this.#outdated.add(symbol);
      const row = this.#rows.get(symbol);
      if (row) row.sparkOutdated = true;
    }
    this.#write();
  }

  #onVisibility(entries: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting } of entries) {
      const row = this.#rows.get((target as HTMLElement).dataset.symbol ?? '');
      if (!row) continue;
      // Drawn immediately, so that a scrolled list has no gaps.
      if (isIntersecting && !row.visible && row.sparkOutdated) row.draw(this.#services.dayOpens.trail(row.symbol));
      row.visible = isIntersecting;
    }
    this.#write();
  }

  #write(): void {
    const now = performance.now();
    if (now - this.#writtenAt < WRITE_EVERY_MS || !frameScheduler.claim()) {
      // Ensures that the last price of a burst is shown.
      this.#scheduleWrite();
      return;
    }
    for (const symbol of this.#outdated) {
      const row = this.#rows.get(symbol);
      if (!row?.visible) continue;
      const quoted = this.#services.quotes.row(symbol);
      if (quoted) row.show(quoted, now);
      this.#outdated.delete(symbol);
      this.#writtenAt = now;
    }
  }

  #draw(): void {
    if (document.hidden) return;
    for (const row of this.#rows.values()) {
      if (!row.visible || !row.sparkOutdated) continue;
      const trail = this.#services.dayOpens.trail(row.symbol);
      row.draw(trail);
      // The history has not arrived yet.
      if (trail.length < 2) row.sparkOutdated = true;
    }
  }
}
