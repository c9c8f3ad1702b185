// A source of items that arrive by themselves, such as polled feeds, and its status.
import { iso, type NewsSourceReport } from '@tickwire/contract';

/** The name of all simulated sources. */
export const SIM_SOURCE = 'Simulated Wire';

/** The source whose items are hidden: simulated items must not appear among real ones, even if the store has both. */
export const hiddenSource = (setting: string): string | null => (setting === 'sim' ? null : SIM_SOURCE);

export interface SourceStatus {
  readonly name: string;
  readonly url: string | null;
  readonly state: 'starting' | 'ok' | 'failing' | 'stopped';
  readonly lastItemAt: number;
  readonly lastPollAt: number;
  /** Number of polls without new items (304 or the same items). */
  readonly unchanged: number;
  readonly items: number;
  readonly failures: number;
  readonly lastError: string | null;
}

export interface Source {
  start(): void;
  stop(): Promise<void>;
  statuses(): readonly SourceStatus[];
}

export const sourceReport = (status: SourceStatus): NewsSourceReport => ({
  name: status.name,
  url: status.url,
  state: status.state,
  last_item_at: status.lastItemAt > 0 ? iso(status.lastItemAt) : null,
  last_poll_at: status.lastPollAt > 0 ? iso(status.lastPollAt) : null,
  items: status.items,
  unchanged: status.unchanged,
  failures: status.failures,
  last_error: status.lastError,
});
