// The REST allowance of an account across all gateways: at most `limit` requests in ANY rolling minute, all usable in one burst
// at any gateway. Redis counts them by its own clock; requests that arrive during a call share the next one.
//
// 1. If Redis returns an error or does not respond within 250 ms, a gateway decides alone, and `degraded` is true.
// 2. Alone, it grants a request if it has granted fewer than share = max(1, floor(limit / gateways)) in the last minute,
//    including those that Redis counted. `gateways` is the number last seen.
// 3. Before Redis decides again, the gateway reports what it granted alone; if Redis has lost its data, everything of the last
//    minute. Redis then decides nothing for SETTLE_MS, so that all other gateways have reported too.
//
// So with G gateways that agree on their number, in any rolling minute:
//   requests ≤ limit + G × share ≤ 2 × limit if limit ≥ G (otherwise limit + G).
// Redis counted at most `limit`, and each gateway grants at most `share` alone in any minute. A request that Redis counted but
// did not confirm in time counts twice until it leaves the minute, which errs on the safe side.
//
// Failed authentications are counted by each gateway alone: they have no account, and trying keys at every gateway multiplies
// the attempts only by the number of gateways, which is negligible against the number of possible keys.
import { MINUTE_MS } from '@tickwire/engine';
import type { AllowanceResult, SharedRequests } from '../access/quota.ts';
import type { Log } from '../ops/log.ts';
import { RollingWindow } from '../work/rolling-window.ts';
import { shareOf } from './presence.ts';
import type { RedisKeys } from './redis-keys.ts';
import { replyInTime, type ScriptLink } from './redis-link.ts';
import { MEMORY, REPORT, TAKE } from './shared-allowance-scripts.ts';

export { ALLOWANCE_SCRIPTS } from './shared-allowance-scripts.ts';

const RECOVER_MS = 100;
/** After Redis lost its data it decides nothing for this long, so that all gateways can report. */
const SETTLE_MS = 2_000;
const CLEANUP_MS = 30_000;
/** Accounts in one call. */
const CALL_ACCOUNTS = 100;
/** Times reported in one call. */
const REPORTED_TIMES = 5_000;

export interface SharedAllowanceOptions {
  /** With CLUSTER_SCRIPTS. */
  readonly link: ScriptLink;
  readonly keys: RedisKeys;
  /** Number of gateways last seen. */
  readonly gateways: () => number;
  readonly log: Log;
  /** Monotonic, in ms. */
  readonly now: () => number;
  /** Default: a minute. */
  readonly windowMs?: number;
  readonly settleMs?: number;
  readonly recoverMs?: number;
  /** After this long without a reply, this gateway decides alone. Default: 250 ms. */
  readonly replyMs?: number;
  /** Replaces the clock of Redis in tests. */
  readonly redisNow?: () => number;
}

interface PendingRequest {
  readonly wanted: number;
  readonly limit: number;
  readonly resolve: (taken: AllowanceResult) => void;
}

/** What this gateway has granted to an account. */
interface LocalCount {
  minute: RollingWindow;
  /** Times of requests that were not reported to Redis yet. */
  unreported: number[];
}

export class SharedAllowance implements SharedRequests {
  /** Requests decided without Redis, for the metrics. */
  decidedLocally = 0;
  #degraded = false;
  readonly #options: SharedAllowanceOptions;
  readonly #windowMs: number;
  readonly #local = new Map<string, LocalCount>();
  #pending = new Map<string, PendingRequest[]>();
  #calling = false;
  #memory: string | null = null;
  #recovering = false;
  #stopped = false;
  readonly #timer: ReturnType<typeof setInterval>;

  constructor(options: SharedAllowanceOptions) {
    this.#options = options;
    this.#windowMs = options.windowMs ?? MINUTE_MS;
    this.#timer = setInterval(() => this.#cleanUp(), CLEANUP_MS);
    // After a reconnect, Redis may have lost its data.
    options.link.onReconnect(() => this.#degrade());
    this.#degrade();
  }

  /** Whether this gateway decides alone. */
  get degraded(): boolean {
    return this.#degraded;
  }

  /** Counts a request of an account, if the limit allows it. */
  take(account: string, limit: number): Promise<AllowanceResult> {
    return this.#request(account, limit, 1);
  }

  /** The state of an account, without counting a request. */
  peek(account: string, limit: number): Promise<AllowanceResult> {
    return this.#request(account, limit, 0);
  }

  stop(): void {
    this.#stopped = true;
    clearInterval(this.#timer);
  }

  #request(account: string, limit: number, wanted: number): Promise<AllowanceResult> {
    if (this.#degraded) return Promise.resolve(this.#decideLocally(account, limit, wanted));
    return new Promise((resolve) => {
      const pending = this.#pending.get(account);
      if (pending) pending.push({ wanted, limit, resolve });
      else this.#pending.set(account, [{ wanted, limit, resolve }]);
      if (!this.#calling) void this.#call();
    });
  }

  /** Calls Redis until no request is pending. */
  async #call(): Promise<void> {
    this.#calling = true;
    // Requests of the same turn share a call.
    await Promise.resolve();
    while (this.#pending.size > 0) {
      const batch = [...this.#pending].slice(0, CALL_ACCOUNTS);
      for (const [account] of batch) this.#pending.delete(account);
      const reply = this.#degraded ? null : await this.#take(batch);
      if (!reply) this.#degrade();
      batch.forEach(([account, requests], at) => {
        if (reply) this.#distribute(account, requests, reply.slice(at * 3, at * 3 + 3) as [number, number, string]);
        else for (const { wanted, limit, resolve } of requests) resolve(this.#decideLocally(account, limit, wanted));
      });
    }
    this.#calling = false;
  }

  /** The reply of Redis; `null` if it does not come in time. */
  async #take(batch: readonly (readonly [string, readonly PendingRequest[]])[]): Promise<(number | string)[] | null> {
    const { link, keys, log, replyMs } = this.#options;
    const args = this.#times();
    for (const [, requests] of batch) {
      const wanted = requests.reduce((sum, request) => sum + request.wanted, 0);
      args.push(String(requests.at(-1)!.limit), String(wanted));
    }
    const names = batch.map(([account]) => keys.allowance(account));
    try {
      return (await replyInTime(link.run(TAKE, names, args), replyMs)) as (number | string)[];
    } catch (error) {
      log.warn('this gateway counts allowances alone while Redis cannot be reached', {
        reason: (error as Error).message,
      });
      return null;
    }
  }

  /** Grants requests in the order in which they arrived. */
  #distribute(
    account: string,
    requests: readonly PendingRequest[],
    [granted, used, age]: [number, number, string],
  ): void {
    const at = this.#options.now();
    let left = granted;
    let counted = used - granted;
    for (const { wanted, limit, resolve } of requests) {
      const allowed = wanted > 0 && left > 0;
      if (allowed) {
        left--;
        counted++;
        this.#localOf(account, limit, at).minute.take(at);
      }
      const resetMs = counted === 0 ? 0 : Math.max(0, this.#windowMs - Number(age));
      resolve({ allowed, limit, remaining: Math.max(0, limit - counted), resetMs });
    }
  }

  /** Rule 2 above. */
  #decideLocally(account: string, limit: number, wanted: number): AllowanceResult {
    const at = this.#options.now();
    const local = this.#localOf(account, limit, at);
    const share = shareOf(limit, this.#options.gateways());
    const used = limit - local.minute.remaining(at);
    const allowed = wanted > 0 && used < share && local.minute.take(at);
    this.decidedLocally += wanted;
    if (allowed) local.unreported.push(at);
    const remaining = Math.max(0, share - used - (allowed ? 1 : 0));
    return { allowed, limit, remaining, resetMs: local.minute.resetMs(at) };
  }

  #degrade(): void {
    this.#degraded = true;
    if (!this.#recovering && !this.#stopped) void this.#recover();
  }

  /** Reports to Redis what it does not know, then lets it decide again. */
  async #recover(): Promise<void> {
    this.#recovering = true;
    while (!this.#stopped && this.#degraded) {
      if (this.#options.link.connected && (await this.#reportAll().catch(() => false))) {
        this.#degraded = false;
        this.#options.log.info('allowances are counted across all gateways');
      } else await Bun.sleep(this.#options.recoverMs ?? RECOVER_MS);
    }
    this.#recovering = false;
  }

  /** Returns true once Redis knows everything. */
  async #reportAll(): Promise<boolean> {
    const { link, keys, now } = this.#options;
    const { connections } = link;
    const [time] = this.#times();
    const [memory, age] = (await link.run(MEMORY, [keys.memory], [time!, crypto.randomUUID()])) as [string, string];
    const lostData = this.#memory !== null && this.#memory !== memory;
    if (lostData) for (const local of this.#local.values()) local.unreported = this.#granted(local, now());
    this.#memory = memory;
    for (const [account, local] of this.#local) {
      while (local.unreported.length > 0) {
        const times = local.unreported.slice(0, REPORTED_TIMES);
        const ages = times.map((time) => Math.max(0, now() - time).toFixed(3));
        await link.run(REPORT, [keys.allowance(account)], [...this.#times(), ...ages]);
        local.unreported.splice(0, times.length);
      }
    }
    // A negative age means that the clock was set back.
    const settled = Number(age) < 0 || Number(age) >= (this.#options.settleMs ?? SETTLE_MS);
    if (!settled || link.connections !== connections) return false;
    return [...this.#local.values()].every(({ unreported }) => unreported.length === 0);
  }

  /** Approximate times of the requests that this gateway granted in the last minute; never too early. */
  #granted({ minute }: LocalCount, at: number): number[] {
    const times: number[] = [];
    for (const entry of minute.saved(at)) {
      if (entry >= 0) times.push(entry);
      else for (let more = entry; more < 0; more++) times.push(times.at(-1)!);
    }
    return times;
  }

  #localOf(account: string, limit: number, at: number): LocalCount {
    let local = this.#local.get(account);
    if (!local) {
      local = { minute: new RollingWindow(limit, { windowMs: this.#windowMs }), unreported: [] };
      this.#local.set(account, local);
    } else if (local.minute.limit !== limit) local.minute.resize(limit, at);
    return local;
  }

  #times(): string[] {
    const { redisNow } = this.#options;
    return [redisNow ? String(redisNow()) : '', String(this.#windowMs)];
  }

  /** Drops accounts without a request in the last minute. */
  #cleanUp(): void {
    const at = this.#options.now();
    for (const [account, { minute: local, unreported }] of this.#local)
      if (unreported.length === 0 && local.remaining(at) === local.limit) this.#local.delete(account);
  }
}
