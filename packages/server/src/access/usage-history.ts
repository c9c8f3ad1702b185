// What was used over time: each caller has counters that a request only adds to; every few seconds they are written down by
// minute and by hour. Minutes are kept for two hours, hours for a month and a day.
import type { UsageHistory as History, UsagePeriod } from '@tickwire/contract';
import type { UsageCounts, UsageRow } from '../store/account-records.ts';
import type { AccessStore } from '../store/store.ts';
import type { AccountState } from './account-state.ts';
import type { Caller } from './caller.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const STEPS = [
  { step: MINUTE_MS, keptMs: 2 * HOUR_MS },
  { step: HOUR_MS, keptMs: 32 * DAY_MS },
] as const;
/** What is shown: so many points of such a length, made of stored stretches. */
const PERIODS = {
  hour: { stored: MINUTE_MS, point: MINUTE_MS, points: 60 },
  day: { stored: HOUR_MS, point: HOUR_MS, points: 24 },
  month: { stored: HOUR_MS, point: DAY_MS, points: 30 },
} as const satisfies Record<UsagePeriod, { stored: number; point: number; points: number }>;

/** A connection as far as its time counts. */
export interface OpenStream {
  readonly caller: Caller | null;
  readonly openedAt: number;
  readonly closed: boolean;
}

export class UsageHistory {
  readonly #store: AccessStore;
  readonly #used: () => Iterable<Caller>;
  /** Callers that have something to be written down. */
  readonly #noted = new Set<Caller>();
  #sampledAt = 0;

  /** `used`: callers that were active and are not noted yet. */
  constructor(store: AccessStore, used: () => Iterable<Caller>) {
    this.#store = store;
    this.#used = used;
  }

  note(caller: Caller): void {
    this.#noted.add(caller);
  }

  /** Counts the time of open streams since the last sample. */
  sample(streams: Iterable<OpenStream>, now: number): void {
    for (const { caller, openedAt, closed } of streams) {
      if (!caller || closed) continue;
      caller.meter.streamMs += Math.max(0, now - Math.max(openedAt, this.#sampledAt));
      this.#noted.add(caller);
    }
    this.#sampledAt = now;
  }

  async flush(now: number): Promise<void> {
    for (const caller of this.#used()) this.#noted.add(caller);
    if (this.#noted.size === 0) return;
    const rows = new Map<string, UsageRow>();
    const taken = [...this.#noted].map((caller) => [caller, emptied(caller)] as const);
    this.#noted.clear();
    for (const [caller, counts] of taken) {
      const accountId = caller.account.holder.id;
      const keyId = caller.session ? '' : caller.keyId;
      for (const { step } of STEPS) {
        const name = `${step} ${accountId} ${keyId}`;
        const before = rows.get(name) ?? { accountId, keyId, step, start: startOf(now, step), ...NOTHING };
        rows.set(name, { ...before, ...sum(before, counts) });
      }
    }
    try {
      await this.#store.addUsage([...rows.values()].filter((row) => !isNothing(row)));
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
    this.#noted.add(caller);
  }

  async prune(now: number): Promise<void> {
    for (const { step, keptMs } of STEPS) await this.#store.forgetUsage(step, now - keptMs);
  }

  /** Since a day ago, by account. */
  async lastDay(now: number): Promise<Map<number, UsageCounts>> {
    await this.flush(now);
    return this.#store.usageTotals(HOUR_MS, startOf(now, HOUR_MS) - 23 * HOUR_MS);
  }

  /** `names`: of the account's keys, by their ids. */
  async of(
    account: AccountState,
    period: UsagePeriod,
    names: ReadonlyMap<string, string>,
    now: number,
  ): Promise<History> {
    await this.flush(now);
    const { stored, point, points } = PERIODS[period];
    const last = startOf(now, point);
    const from = last - (points - 1) * point;
    const rows = await this.#store.usageOf(account.id, stored, from);
    const byTime = totals(rows, ({ start }) => startOf(start, point));
    const byKey = totals(rows, ({ keyId }) => keyId);
    return {
      period,
      step_seconds: point / 1000,
      limits: account.tier,
      points: Array.from({ length: points }, (_, index) => {
        const time = from + index * point;
        return { time: new Date(time).toISOString(), ...shown(byTime.get(time) ?? NOTHING) };
      }),
      keys: [...byKey].map(([id, counts]) => ({
        key: id || null,
        name: id ? (names.get(id) ?? null) : null,
        ...shown(counts),
      })),
    };
  }
}

const NOTHING: UsageCounts = { requests: 0, errors: 0, aiCalls: 0, streamSeconds: 0 };

const startOf = (time: number, step: number): number => Math.floor(time / step) * step;

const isNothing = ({ requests, errors, aiCalls, streamSeconds }: UsageCounts): boolean =>
  requests + errors + aiCalls + streamSeconds === 0;

/** What the meter shows, which then begins anew; a fraction of a second stays in it. */
function emptied({ meter }: Caller): UsageCounts {
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
  for (const row of rows) all.set(keyOf(row), sum(all.get(keyOf(row)) ?? NOTHING, row));
  return all;
}

const shown = ({ requests, errors, aiCalls, streamSeconds }: UsageCounts) => ({
  requests,
  errors,
  ai_calls: aiCalls,
  stream_seconds: streamSeconds,
});
