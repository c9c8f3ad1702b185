// The REST allowance of an account over all gateways: at most `limit` requests in ANY rolling minute, all of them usable in one
// burst, wherever they come in. Redis counts them, each by its own time and by Redis's clock; requests that come while one
// call is under way share the next.
//
// While Redis is away (an error, or no answer within 250 ms) a gateway goes by itself, and `degraded` says so. The rule then:
// it grants a request if it has itself granted fewer than share = max(1, floor(limit / gateways)) in the last minute, those
// that Redis counted among them; `gateways` is how many were last seen. What it grants is told to Redis before Redis decides
// again, and so is everything of the last minute if Redis has lost its memory; then Redis decides nothing for SETTLE_MS, so that
// all others have told theirs too.
//
// Thus, with G gateways that agree on their number, in any rolling minute:
//   requests ≤ limit + G × share ≤ 2 × limit, where limit ≥ G (else limit + G).
// What Redis had counted is at most `limit`, and what each gateway grants on its own at most `share` in any minute. A request
// that Redis counted but did not confirm in time is counted twice: that errs to the safe side, until it leaves the minute.
//
// Failed authentications are counted by each gateway alone: there is no account to count them for, and an address that tries
// keys at every gateway has as many times the tries, which is still nothing against the number of keys there could be.
import { RollingMinute, WINDOW_MS } from '../access/rolling-minute.ts';
import type { Log } from '../ops/log.ts';
import type { RedisKeys } from './redis-keys.ts';
import { RedisAway, type ScriptLink } from './redis-link.ts';
import { MEMORY, TAKE, TELL } from './shared-allowance-scripts.ts';

export { ALLOWANCE_SCRIPTS } from './shared-allowance-scripts.ts';

/** Longer than this a request does not wait for its allowance. */
const ANSWER_MS = 250;
const RECOVER_MS = 100;
/** A Redis without a memory decides nothing before all gateways have had the time to tell it theirs. */
const SETTLE_MS = 2_000;
const FORGET_MS = 30_000;
/** Accounts asked for in one call. */
const CALL_ACCOUNTS = 100;
/** Times told in one call. */
const TOLD_TIMES = 5_000;

export interface Taken {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Milliseconds until the oldest counted request leaves the minute; 0 where none counts. */
  readonly resetMs: number;
}

export interface SharedAllowanceOptions {
  /** With CLUSTER_SCRIPTS. */
  readonly link: ScriptLink;
  readonly keys: RedisKeys;
  /** Gateways last seen. */
  readonly gateways: () => number;
  readonly log: Log;
  /** Milliseconds, never backwards. */
  readonly now: () => number;
  readonly windowMs?: number;
  readonly settleMs?: number;
  readonly recoverMs?: number;
  /** Redis's clock, by tests. */
  readonly redisNow?: () => number;
}

interface Asking {
  readonly wanted: number;
  readonly limit: number;
  readonly resolve: (taken: Taken) => void;
}

/** What this gateway has granted to an account. */
interface Own {
  minute: RollingMinute;
  /** Times of those that Redis has not been told of. */
  untold: number[];
}

export class SharedAllowance {
  /** Requests decided without Redis, for the metrics. */
  decidedAlone = 0;
  #degraded = false;
  readonly #options: SharedAllowanceOptions;
  readonly #own = new Map<string, Own>();
  #asking = new Map<string, Asking[]>();
  #calling = false;
  #memory: string | null = null;
  #recovering = false;
  #stopped = false;
  readonly #timer: ReturnType<typeof setInterval>;

  constructor(options: SharedAllowanceOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#forget(), FORGET_MS);
    // A Redis that is back may have forgotten what was counted.
    options.link.onUp(() => this.#degrade());
    this.#degrade();
  }

  /** Whether this gateway goes by itself. */
  get degraded(): boolean {
    return this.#degraded;
  }

  /** Counts a request of an account, if there is room for it. */
  take(account: string, limit: number): Promise<Taken> {
    return this.#ask(account, limit, 1);
  }

  /** How an account stands, without counting anything. */
  look(account: string, limit: number): Promise<Taken> {
    return this.#ask(account, limit, 0);
  }

  stop(): void {
    this.#stopped = true;
    clearInterval(this.#timer);
  }

  #ask(account: string, limit: number, wanted: number): Promise<Taken> {
    if (this.#degraded) return Promise.resolve(this.#alone(account, limit, wanted));
    return new Promise((resolve) => {
      const waiting = this.#asking.get(account);
      if (waiting) waiting.push({ wanted, limit, resolve });
      else this.#asking.set(account, [{ wanted, limit, resolve }]);
      if (!this.#calling) void this.#call();
    });
  }

  /** Asks Redis until nobody waits. */
  async #call(): Promise<void> {
    this.#calling = true;
    // What comes in the same turn goes in the same call.
    await Promise.resolve();
    while (this.#asking.size > 0) {
      const asked = [...this.#asking].slice(0, CALL_ACCOUNTS);
      for (const [account] of asked) this.#asking.delete(account);
      const answer = this.#degraded ? null : await this.#callFor(asked);
      if (!answer) this.#degrade();
      asked.forEach(([account, waiting], at) => {
        if (answer) this.#share(account, waiting, answer.slice(at * 3, at * 3 + 3) as [number, number, string]);
        else for (const { wanted, limit, resolve } of waiting) resolve(this.#alone(account, limit, wanted));
      });
    }
    this.#calling = false;
  }

  /** Redis's answer, or null where it does not come in time. */
  async #callFor(asked: readonly (readonly [string, readonly Asking[]])[]): Promise<(number | string)[] | null> {
    const { link, keys, log } = this.#options;
    const args = this.#times();
    for (const [, waiting] of asked) {
      const wanted = waiting.reduce((sum, one) => sum + one.wanted, 0);
      args.push(String(waiting.at(-1)!.limit), String(wanted));
    }
    const names = asked.map(([account]) => keys.allowance(account));
    let late: ReturnType<typeof setTimeout> | undefined;
    try {
      return (await Promise.race([
        link.run(TAKE, names, args),
        new Promise((_, reject) => {
          late = setTimeout(() => reject(new RedisAway(`no answer within ${ANSWER_MS} ms`)), ANSWER_MS);
        }),
      ])) as (number | string)[];
    } catch (error) {
      log.warn('allowances are counted by this gateway alone while Redis is away', {
        reason: (error as Error).message,
      });
      return null;
    } finally {
      clearTimeout(late);
    }
  }

  /** Those who came first get what was granted. */
  #share(account: string, waiting: readonly Asking[], [granted, used, age]: [number, number, string]): void {
    const { now, windowMs = WINDOW_MS } = this.#options;
    const at = now();
    let left = granted;
    let counted = used - granted;
    for (const { wanted, limit, resolve } of waiting) {
      const allowed = wanted > 0 && left > 0;
      if (allowed) {
        left--;
        counted++;
        this.#ownOf(account, limit, at).minute.take(this.#inMinute(at));
      }
      const resetMs = counted === 0 ? 0 : Math.max(0, windowMs - Number(age));
      resolve({ allowed, limit, remaining: Math.max(0, limit - counted), resetMs });
    }
  }

  /** The rule of the gateway that goes by itself. */
  #alone(account: string, limit: number, wanted: number): Taken {
    const at = this.#options.now();
    const own = this.#ownOf(account, limit, at);
    const minute = this.#inMinute(at);
    const share = Math.min(limit, Math.max(1, Math.floor(limit / Math.max(1, this.#options.gateways()))));
    const used = limit - own.minute.remaining(minute);
    const allowed = wanted > 0 && used < share && own.minute.take(minute);
    this.decidedAlone += wanted;
    if (allowed) own.untold.push(at);
    const remaining = Math.max(0, share - used - (allowed ? 1 : 0));
    const { windowMs = WINDOW_MS } = this.#options;
    return { allowed, limit, remaining, resetMs: (own.minute.resetMs(minute) * windowMs) / WINDOW_MS };
  }

  #degrade(): void {
    this.#degraded = true;
    if (!this.#recovering && !this.#stopped) void this.#recover();
  }

  /** Tells Redis what it does not know, and leaves the decisions to it again. */
  async #recover(): Promise<void> {
    this.#recovering = true;
    while (!this.#stopped && this.#degraded) {
      if (this.#options.link.connected && (await this.#tellAll().catch(() => false))) {
        this.#degraded = false;
        this.#options.log.info('allowances are counted over all gateways');
      } else await Bun.sleep(this.#options.recoverMs ?? RECOVER_MS);
    }
    this.#recovering = false;
  }

  /** True where Redis knows everything. */
  async #tellAll(): Promise<boolean> {
    const { link, keys, now } = this.#options;
    const { connections } = link;
    const [time] = this.#times();
    const [memory, age] = (await link.run(MEMORY, [keys.memory], [time!, crypto.randomUUID()])) as [string, string];
    // It knows nothing that was counted before.
    const all = this.#memory !== null && this.#memory !== memory;
    if (all) for (const own of this.#own.values()) own.untold = this.#granted(own, now());
    this.#memory = memory;
    for (const [account, own] of this.#own) {
      while (own.untold.length > 0) {
        const told = own.untold.slice(0, TOLD_TIMES);
        const ages = told.map((time) => Math.max(0, now() - time).toFixed(3));
        await link.run(TELL, [keys.allowance(account)], [...this.#times(), ...ages]);
        own.untold.splice(0, told.length);
      }
    }
    // One from the future is of a clock that was set back since.
    const settled = Number(age) < 0 || Number(age) >= (this.#options.settleMs ?? SETTLE_MS);
    if (!settled || link.connections !== connections) return false;
    return [...this.#own.values()].every(({ untold }) => untold.length === 0);
  }

  /** Times of all that this gateway granted in the last minute, as near as they are kept, and never too early. */
  #granted({ minute }: Own, at: number): number[] {
    const { windowMs = WINDOW_MS } = this.#options;
    const times: number[] = [];
    for (const entry of minute.saved(this.#inMinute(at))) {
      if (entry >= 0) times.push((entry * windowMs) / WINDOW_MS);
      else for (let more = entry; more < 0; more++) times.push(times.at(-1)!);
    }
    return times;
  }

  #ownOf(account: string, limit: number, at: number): Own {
    let own = this.#own.get(account);
    if (!own) {
      own = { minute: new RollingMinute(limit), untold: [] };
      this.#own.set(account, own);
    } else if (own.minute.limit !== limit) own.minute.resize(limit, this.#inMinute(at));
    return own;
  }

  /** A window that tests made shorter, stretched to a minute. */
  #inMinute(at: number): number {
    return (at * WINDOW_MS) / (this.#options.windowMs ?? WINDOW_MS);
  }

  #times(): string[] {
    const { redisNow, windowMs = WINDOW_MS } = this.#options;
    return [redisNow ? String(redisNow()) : '', String(windowMs)];
  }

  /** Accounts that have granted nothing for a minute need no memory. */
  #forget(): void {
    const minute = this.#inMinute(this.#options.now());
    for (const [account, { minute: own, untold }] of this.#own)
      if (untold.length === 0 && own.remaining(minute) === own.limit) this.#own.delete(account);
  }
}
