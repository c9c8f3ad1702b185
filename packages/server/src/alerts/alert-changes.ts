// Creates, changes and deletes alerts: one change of an alert after another, judged and stored as of one moment. Nothing that
// fires meanwhile is lost or undone by a change.
import type { AlertCondition } from '@tickwire/contract';
import type { MarketSymbol } from '@tickwire/engine';
import type { AlertRow, AlertStore } from '../store/alert-store.ts';
import type { AlertJudge } from './alert-judge.ts';
import type { FiringWriter } from './firing-writer.ts';
import { readWarmUp, type WarmUpSources } from './warm-up-bars.ts';

export interface AlertChangesOptions {
  readonly store: AlertStore;
  readonly judge: AlertJudge;
  readonly writer: Pick<FiringWriter, 'settle'>;
  readonly warmUp: WarmUpSources;
  /** seq of the newest event, and the market time from which events count for a new alert. */
  readonly position: (symbol: MarketSymbol | null) => { readonly seq: number; readonly time: number };
}

export class AlertChanges {
  readonly #options: AlertChangesOptions;
  /** The last change of each alert that has one under way. */
  readonly #turns = new Map<string, Promise<void>>();

  constructor(options: AlertChangesOptions) {
    this.#options = options;
  }

  /**
   * Judges an alert as `change` wants it, and stores it. `change` gets the alert as of the moment of the change and returns
   * `null` to leave it as it is. With the state `null` the alert starts over. `judged`: what it will be about.
   */
  apply(
    id: string,
    judged: () => { readonly symbol: MarketSymbol | null; readonly condition: AlertCondition },
    change: (current: AlertRow | undefined) => AlertRow | null,
  ): Promise<void> {
    return this.#alone(id, async () => {
      const { judge, writer, store, warmUp, position } = this.#options;
      const { symbol, condition } = judged();
      const warmedUp = await readWarmUp(warmUp, symbol, judge.book.warmUpOf(condition));
      await writer.settle(id);
      // From here to the write nothing else runs.
      const current = judge.rows.get(id);
      const before = current && { ...current, state: judge.progressOf(current).state };
      const row = change(before);
      if (!row) return;
      const { seq, time } = position(symbol);
      const started = row.state === null ? { ...row, sinceSeq: seq, sinceTime: time } : row;
      judge.begin(started, warmedUp());
      try {
        await store.putAlert({ ...started, state: judge.progressOf(started).state });
      } catch (error) {
        if (before) judge.rollBack(before, warmedUp());
        else judge.remove(id);
        throw error;
      }
      judge.commit(id);
    });
  }

  /** Changes what is not judged. */
  describe(id: string, change: Partial<Pick<AlertRow, 'note' | 'deliver'>>): Promise<void> {
    return this.#alone(id, async () => {
      const { store, judge } = this.#options;
      const current = judge.rows.get(id);
      if (!current) return;
      const { note, deliver } = { ...current, ...change };
      await store.describeAlert(id, { note, deliver });
      judge.rows.describe(id, { note, deliver });
    });
  }

  delete(id: string): Promise<void> {
    return this.#alone(id, async () => {
      const { writer, store, judge } = this.#options;
      await writer.settle(id);
      await store.deleteAlert(id);
      judge.remove(id);
    });
  }

  #alone(id: string, work: () => Promise<void>): Promise<void> {
    const turn = (this.#turns.get(id) ?? Promise.resolve()).then(work);
    const ended = turn
      .catch(() => {})
      .then(() => {
        if (this.#turns.get(id) === ended) this.#turns.delete(id);
      });
    this.#turns.set(id, ended);
    return turn;
  }
}
