// Usage over time. Requests only add to the counters of their caller; every few seconds the counters are written to the
// store, by minute and by hour. Minutes are kept for 2 hours, hours for 32 days.
import { iso, type UsageHistory, type UsageHistoryQuery, type UsagePeriod } from '@tickwire/contract';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tickwire/engine';
import type { UsageCounts, UsageRow } from '../store/account-store.ts';
import type { AccessStore } from '../store/store.ts';
import type { AccountState } from './account-state.ts';
import type { Caller } from './caller.ts';

const STEPS = [
  { step: MINUTE_MS, keptMs: 2 * HOUR_MS },
  { step: HOUR_MS, keptMs: 32 * DAY_MS },
] as const;
/** For each period: the length of the stored intervals, and the length and number of the points in the response. */
const PERIODS = {
  hour: { stored: MINUTE_MS, point: MINUTE_MS, points: 60 },
  day: { stored: HOUR_MS, point: HOUR_MS, points: 24 },
  month: { stored: HOUR_MS, point: DAY_MS, points: 30 },
} as const satisfies Record<UsagePeriod, { stored: number; point: number; points: number }>;

/** The part of a connection that stream time is counted from. */
export interface OpenStream {
  readonly caller: Caller | null;
  readonly openedAt: number;
  readonly closed: boolean;
}

export class UsageRecorder {
  readonly #store: AccessStore;
  readonly #active: () => Iterable<Caller>;
  /** Callers whose counters must be written. */
  readonly #pending = new Set<Caller>();
  #sampledAt = 0;

  /** `active`: callers that were used and are not pending yet. */
  constructor(store: AccessStore, active: () => Iterable<Caller>) {
    this.#store = store;
    this.#active = active;
  }

  /** Includes the caller in the next write. */
  add(caller: Caller): void {
    this.#pending.add(caller);
  }

  /** Adds the time that streams were open since the last sample. */
  sample(streams: Iterable<OpenStream>, now: number): void {
    for (const { caller, openedAt, closed } of streams) {
      if (!caller || closed) continue;
      caller.meter.streamMs += Math.max(0, now - Math.max(openedAt, this.#sampledAt));
      this.#pending.add(caller);
    }
    this.#sampledAt = now;
  }

  async flush(now: number): Promise<void> {
    for (const caller of this.#active()) this.#pending.add(caller);
    if (this.#pending.size === 0) return;
    const rows = new Map<string, UsageRow>();
    const taken = [...this.#pending].map((caller) => [caller, takeCounts(caller)] as const);
    this.#pending.clear();
    for (const [caller, counts] of taken) {
      const accountId = caller.account.id;
      const keyId = caller.session ? '' : caller.keyId;
      for (const { step } of STEPS) {
        const name = `${step} ${accountId} ${keyId}`;
        const row = rows.get(name) ?? { accountId, keyId, step, start: startOf(now, step), ...ZERO_COUNTS };
        rows.set(name, { ...row, ...sum(row, counts) });
      }
    }
    try {
      await this.#store.addUsage([...rows.values()].filter((row) => !isZero(row)));
    } catch (error) {
      for (const [caller, counts] of taken) this.#putBack(caller, counts);
      throw error;
    }
  }

  #putBack(caller: Caller, { requests, errors, aiCalls, streamSeconds }: UsageCounts): void {
    caller.meter.requests += requests;
    caller.meter.errors += errors;
    caller.meter.aiCalls += aiCalls;
    caller.meter.streamMs += streamSeconds * 1000;
    this.#pending.add(caller);
  }

  async prune(now: number): Promise<void> {
    for (const { step, keptMs } of STEPS) await this.#store.forgetUsage(step, now - keptMs);
  }

  /** Usage of the last 24 hours by account id. */
  async lastDay(now: number): Promise<Map<number, UsageCounts>> {
    await this.flush(now);
    return this.#store.usageTotals(HOUR_MS, startOf(now, HOUR_MS) - 23 * HOUR_MS);
  }

  /** `names`: the names of the account's keys by key id. */
  async of(
    account: AccountState,
    { period, detail }: UsageHistoryQuery,
    names: ReadonlyMap<string, string>,
    now: number,
  ): Promise<UsageHistory> {
    await this.flush(now);
    const { stored, point, points } = PERIODS[period];
    const last = startOf(now, point);
    const from = last - (points - 1) * point;
    const rows = await this.#store.usageOf(account.id, stored, from);
    const pointsOf = (some: readonly UsageRow[]): UsageHistory['points'] => {
      const byTime = totals(some, ({ start }) => startOf(start, point));
      return Array.from({ length: points }, (_, index) => {
        const time = from + index * point;
        return { time: iso(time), ...toJson(byTime.get(time) ?? ZERO_COUNTS) };
      });
    };
    const byKey = totals(rows, ({ keyId }) => keyId);
    const { requests_per_minute, streams } = account.tier;
    return {
      period,
      step_seconds: point / 1000,
      limits: account.tier,
      points: pointsOf(rows),
      keys: [...byKey].map(([id, counts]) => ({
        key: id || null,
        name: id ? (names.get(id) ?? null) : null,
        ...toJson(counts),
      })),
      ...(detail && {
        sessions: {
          limits: { requests_per_minute, streams },
          points: pointsOf(rows.filter(({ keyId }) => keyId === '')),
        },
      }),
    };
  }
}

const ZERO_COUNTS: UsageCounts = { requests: 0, errors: 0, aiCalls: 0, streamSeconds: 0 };

const startOf = (time: number, step: number): number => Math.floor(time / step) * step;

const isZero = ({ requests, errors, aiCalls, streamSeconds }: UsageCounts): boolean =>
  requests + errors + aiCalls + streamSeconds === 0;

/** Takes the counts out of the meter. A fraction of a second stays in it. */
function takeCounts({ meter }: Caller): UsageCounts {
  const { requests, errors, aiCalls, streamMs } = meter;
  const streamSeconds = Math.floor(streamMs / 1000);
  Object.assign(meter, { requests: 0, errors: 0, aiCalls: 0, streamMs: streamMs - streamSeconds * 1000 });
  return { requests, errors, aiCalls, streamSeconds };
}

const sum = (a: UsageCounts, b: UsageCounts): UsageCounts => ({
  requests: a.requests + b.requests,
  errors: a.errors + b.errors,
  aiCalls: a.aiCalls + b.aiCalls,
  streamSeconds: a.streamSeconds + b.streamSeconds,
});

function totals<K>(rows: readonly UsageRow[], keyOf: (row: UsageRow) => K): Map<K, UsageCounts> {
  const all = new Map<K, UsageCounts>();
  for (const row of rows) all.set(keyOf(row), sum(all.get(keyOf(row)) ?? ZERO_COUNTS, row));
  return all;
}

const toJson = ({ requests, errors, aiCalls, streamSeconds }: UsageCounts) => ({
  requests,
  errors,
  ai_calls: aiCalls,
  stream_seconds: streamSeconds,
});
