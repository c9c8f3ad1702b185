// The signals of the feed for the current filter: active ones live, older ones page by page.
import type { ActiveSignal } from '@tickwire/client';
import type { SignalChange } from '../services/active-signals.ts';
import type { TerminalServices } from '../services/terminal-services.ts';
import { explain } from '../ui/failure.ts';
import { type FeedFilter, NO_FILTER } from './feed-filter.ts';
import { FeedPages } from './feed-pages.ts';
import { FeedRows } from './feed-rows.ts';

export interface FeedOptions extends Pick<TerminalServices, 'client' | 'activeSignals' | 'notifier'> {
  /** Rows must not move now. */
  readonly isHeld: () => boolean;
  readonly onPublished: (signal: ActiveSignal) => void;
}

export class FeedModel {
  /** Called after every change. */
  changed: () => void = () => {};
  filter = NO_FILTER;
  list = new FeedRows(NO_FILTER);
  /** `null` for the active signals, which are all loaded. */
  pages: FeedPages | null = null;
  loading = true;
  failure: string | null = null;
  readonly #options: FeedOptions;
  #end: AbortSignal | undefined;
  /** The active signals were loaded before: an empty change means that the stream had a gap. */
  #wasReady = false;

  constructor(options: FeedOptions) {
    this.#options = options;
  }

  /** False if there are more active signals than are loaded. */
  get complete(): boolean {
    return this.#options.activeSignals.complete;
  }

  /** Follows the stream until the signal is aborted. */
  subscribe(end: AbortSignal, changed: () => void): void {
    const { activeSignals } = this.#options;
    this.#end = end;
    this.changed = changed;
    activeSignals.subscribe(end, (change) => this.#apply(change));
    this.#wasReady = activeSignals.state === 'ready';
  }

  /** Starts again from the newest signal. */
  load(filter: FeedFilter): void {
    const { client } = this.#options;
    const end = this.#end;
    this.filter = filter;
    this.list = new FeedRows(filter);
    this.failure = null;
    this.pages = null;
    if (filter.status === 'active') this.#loadActive();
    else {
      this.pages = new FeedPages(filter, (options) => client.signals(options, end && { signal: end }));
      this.older();
    }
  }

  retry(): void {
    if (this.pages === null) this.#options.activeSignals.reload();
    else this.load(this.filter);
  }

  /** Loads the next page, if there is one. */
  older(): void {
    const { pages, list } = this;
    if (!pages || pages.ended || list.full) return;
    this.loading = true;
    this.failure = null;
    this.changed();
    const finish = (failure: string | null): void => {
      // The filter has changed since.
      if (pages !== this.pages || this.#end?.aborted) return;
      this.loading = false;
      this.failure = failure;
      this.changed();
    };
    pages.next().then(
      (items) => {
        list.older(items);
        finish(null);
      },
      (error: unknown) => {
        finish(explain(error).general);
        if (!this.#end?.aborted) this.#options.notifier.reportError(error, 'Signals');
      },
    );
  }

  /** Shows waiting signals, unless rows must not move. */
  settle(): void {
    if (this.#options.isHeld()) this.list.hold();
    else if (this.list.release()) this.changed();
  }

  #loadActive(): void {
    const { activeSignals } = this.#options;
    this.loading = activeSignals.state === 'loading';
    this.failure = activeSignals.state === 'failed' ? 'The signals could not be loaded.' : null;
    this.list.load(activeSignals.active);
    this.changed();
  }

  #apply({ published, closed }: SignalChange): void {
    this.settle();
    if (published) {
      if (!this.list.published(published)) return;
      this.#options.onPublished(published);
    } else if (closed) {
      if (!this.list.closed(closed)) return;
    } else {
      const hadGap = this.#wasReady;
      this.#wasReady = this.#options.activeSignals.state === 'ready';
      if (this.pages === null) this.#loadActive();
      // Missed signals are on the first page.
      else if (hadGap) this.load(this.filter);
      return;
    }
    this.changed();
  }
}
