// All alerts in memory, and the state that is stored with each.
import { type AlertCondition, TIMEFRAME_MS, type Timeframe } from '@tickwire/contract';
import { type AlertSpec, asEpochMs } from '@tickwire/engine';
import type { AlertRow } from '../store/alert-store.ts';

/** `AlertRow.state`: what the book knows about an alert, as of an event. */
export interface SavedState {
  readonly seq: number;
  /** Start of the newest closed bar that its indicators had read, by interval. */
  readonly bars: Partial<Record<Timeframe, number>>;
  readonly book: string;
}

export const writeState = (state: SavedState): string => JSON.stringify(state);

export const readState = ({ state }: Pick<AlertRow, 'state'>): SavedState | null =>
  state === null ? null : (JSON.parse(state) as SavedState);

/** Whether the book judges an alert. */
export const isJudged = ({ paused, done }: AlertRow): boolean => !paused && !done;

/** The event behind which a restored alert is judged. */
export const startOf = (row: AlertRow): number => readState(row)?.seq ?? row.sinceSeq;

/** Start of the last closed bar that an alert had read; `null` if there was none. */
export function lastBarOf(row: AlertRow, interval: Timeframe): number | null {
  const state = readState(row);
  return state ? (state.bars[interval] ?? null) : row.sinceTime - TIMEFRAME_MS[interval];
}

/** An alert as the book judges it. */
export function judgedSpec({ condition, expiresAt, sinceTime, ...row }: AlertRow): AlertSpec {
  const { id, symbol, repeat, interval, cooldownMs, sinceSeq } = row;
  return {
    ...{ id, symbol, repeat, interval, cooldownMs, sinceSeq },
    condition: JSON.parse(condition) as AlertCondition,
    expiresAt: expiresAt === null ? null : asEpochMs(expiresAt),
    sinceTime: asEpochMs(sinceTime),
    state: readState(row)?.book ?? null,
  };
}

export class AlertRows {
  readonly #rows = new Map<string, AlertRow>();
  readonly #ofAccount = new Map<string, Map<string, AlertRow>>();

  get(id: string): AlertRow | undefined {
    return this.#rows.get(id);
  }

  /** Newest first. */
  of(account: string): AlertRow[] {
    return [...(this.#ofAccount.get(account)?.values() ?? [])].reverse();
  }

  all(): AlertRow[] {
    return [...this.#rows.values()];
  }

  put(row: AlertRow): void {
    this.#rows.set(row.id, row);
    const owned = this.#ofAccount.get(row.account) ?? new Map<string, AlertRow>();
    this.#ofAccount.set(row.account, owned.set(row.id, row));
  }

  delete(id: string): void {
    const row = this.#rows.get(id);
    if (!row) return;
    this.#rows.delete(id);
    const owned = this.#ofAccount.get(row.account);
    owned?.delete(id);
    if (owned?.size === 0) this.#ofAccount.delete(row.account);
  }

  /** Replaces what the book does not look at: the note and the destinations. */
  describe(id: string, { note, deliver }: Pick<AlertRow, 'note' | 'deliver'>): void {
    const current = this.#rows.get(id);
    if (current) this.put({ ...current, note, deliver });
  }

  /** A destination was deleted. */
  withoutDestination(account: string, destination: string): void {
    for (const row of this.of(account))
      if (row.deliver.includes(destination))
        this.put({ ...row, deliver: row.deliver.filter((id) => id !== destination) });
  }

  /** A firing that an earlier run had written already does not count again. */
  uncount(id: string): void {
    const row = this.#rows.get(id);
    if (row && row.fired > 0) this.put({ ...row, fired: row.fired - 1 });
  }
}
