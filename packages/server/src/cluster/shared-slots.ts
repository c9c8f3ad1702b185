// Stream slots of an account across all gateways. Each gateway reports how many slots of an account it holds, as a total and not
// as a change, so that repeating a report does no harm. Only live gateways count (presence.ts): the slots of a dead one are free
// within 5 s.
//
// 1. If a gateway was stopped or cut off for longer than that, its slots were free meanwhile. When it is back it reports them
//    again, and they count immediately; the account may then exceed its limit until some of its streams close (`onOverLimit`).
// 2. If Redis cannot be reached, a gateway decides alone, and `degraded` is true: it grants a slot if it holds fewer than
//    share = max(1, floor(limit / gateways)) of the account (none if the limit is 0). An account then has at most
//    limit + gateways × share ≤ 2 × limit streams if limit ≥ gateways.
import { MINUTE_MS } from '@tickwire/engine';
import type { Log } from '../ops/log.ts';
import { ALIVE_MS, shareOf } from './presence.ts';
import type { RedisKeys } from './redis-keys.ts';
import { type RedisReply, replyInTime, type ScriptLink } from './redis-link.ts';
import { REDIS_NOW, script } from './redis-script.ts';

/** Totals are reported again before they expire in Redis. */
const REPORT_MS = 5 * MINUTE_MS;
const EXPIRE_MS = 15 * MINUTE_MS;
const RECOVER_MS = 1_000;

/**
 * Lua: sets `others` to the slots that other live gateways hold. KEYS: slots of the account, gateways. ARGV: time, own id, ms after
 * which a silent gateway is dead.
 */
const OTHERS = `${REDIS_NOW}
local others = 0
local held = redis.call('HGETALL', KEYS[1])
for i = 1, #held, 2 do
  if held[i] ~= ARGV[2] then
    local seen = redis.call('ZSCORE', KEYS[2], held[i])
    if seen and tonumber(seen) >= now - tonumber(ARGV[3]) then others = others + tonumber(held[i + 1])
    else redis.call('HDEL', KEYS[1], held[i]) end
  end
end
`;

/** Further ARGV: own slots including the new one, limit, expiry in ms. */
const TAKE = script(`${OTHERS}
local seen = redis.call('ZSCORE', KEYS[2], ARGV[2])
if not seen or tonumber(seen) < now - tonumber(ARGV[3]) then return {2, others} end
if others + tonumber(ARGV[4]) > tonumber(ARGV[5]) then return {0, others} end
redis.call('HSET', KEYS[1], ARGV[2], ARGV[4])
redis.call('PEXPIRE', KEYS[1], ARGV[6])
return {1, others}
`);

/** Further ARGV: own slots, expiry in ms. Returns the slots held by all gateways. */
const REPORT = script(`${OTHERS}
if ARGV[4] == '0' then redis.call('HDEL', KEYS[1], ARGV[2])
else
  redis.call('HSET', KEYS[1], ARGV[2], ARGV[4])
  redis.call('PEXPIRE', KEYS[1], ARGV[5])
end
return others + tonumber(ARGV[4])
`);

export const SLOT_SCRIPTS = [TAKE, REPORT] as const;

export interface SharedSlotsOptions {
  /** With CLUSTER_SCRIPTS. */
  readonly link: ScriptLink;
  readonly keys: RedisKeys;
  /** Of this gateway, as in its presence. */
  readonly id: string;
  readonly gateways: () => number;
  /** Registers this gateway again if Redis does not know it. */
  readonly heartbeat: () => Promise<void>;
  readonly log: Log;
  /** Called if all gateways together hold more slots than the limit of the account. */
  readonly onOverLimit?: (account: string, held: number, limit: number) => void;
}

export interface SlotResult {
  readonly taken: boolean;
  /** Known streams of the account on all gateways. */
  readonly held: number;
}

export class SharedSlots {
  #degraded = false;
  #stopped = false;
  readonly #options: SharedSlotsOptions;
  readonly #own = new Map<string, { count: number; limit: number }>();
  readonly #timer: ReturnType<typeof setInterval>;

  constructor(options: SharedSlotsOptions) {
    this.#options = options;
    this.#timer = setInterval(() => void this.reportAll(), REPORT_MS);
    options.link.onReconnect(() => void this.reportAll());
  }

  /** Whether this gateway decides alone. */
  get degraded(): boolean {
    return this.#degraded;
  }

  /** Takes a slot, if the account has one left. */
  async take(account: string, limit: number): Promise<SlotResult> {
    const own = this.#own.get(account) ?? { count: 0, limit };
    this.#own.set(account, own);
    own.limit = limit;
    own.count++;
    let reply = await this.#take(account, own.count, limit);
    // 2: Redis does not know this gateway.
    if (reply?.[0] === 2) {
      await this.#options.heartbeat();
      await this.reportAll();
      reply = await this.#take(account, own.count, limit);
    }
    if (reply && reply[0] !== 2) {
      this.#degraded = false;
      if (reply[0] === 1) return { taken: true, held: reply[1] + own.count };
      this.release(account);
      return { taken: false, held: reply[1] + own.count };
    }
    this.#degrade();
    const share = shareOf(limit, this.#options.gateways());
    if (own.count <= share) return { taken: true, held: own.count };
    this.release(account);
    return { taken: false, held: own.count };
  }

  release(account: string): void {
    const own = this.#own.get(account);
    if (!own || own.count === 0) return;
    own.count--;
    void this.#report(account);
  }

  /** Reports the slots of all accounts, for example after Redis lost its data. */
  async reportAll(): Promise<void> {
    const reported = await Promise.all([...this.#own.keys()].map((account) => this.#report(account)));
    if (this.#options.link.connected && !reported.includes(false)) this.#degraded = false;
  }

  stop(): void {
    this.#stopped = true;
    clearInterval(this.#timer);
  }

  #degrade(): void {
    if (this.#degraded) return;
    this.#degraded = true;
    this.#options.log.warn('this gateway counts stream slots alone while Redis cannot be reached');
    const recover = setInterval(() => {
      if (this.#degraded && !this.#stopped) void this.reportAll();
      else clearInterval(recover);
    }, RECOVER_MS);
  }

  /** `null` if Redis does not reply in time. */
  async #take(account: string, count: number, limit: number): Promise<[number, number] | null> {
    const { link, keys, id } = this.#options;
    const args = ['', id, String(ALIVE_MS), String(count), String(limit), String(EXPIRE_MS)];
    try {
      const reply = link.run(TAKE, [keys.slots(account), keys.gateways], args);
      return (await replyInTime(reply)) as [number, number];
    } catch {
      return null;
    }
  }

  /** Returns false if Redis cannot be reached. */
  async #report(account: string): Promise<boolean> {
    const { link, keys, id, onOverLimit } = this.#options;
    const own = this.#own.get(account);
    if (!own) return true;
    const args = ['', id, String(ALIVE_MS), String(own.count), String(EXPIRE_MS)];
    let held: RedisReply;
    try {
      held = await link.run(REPORT, [keys.slots(account), keys.gateways], args);
    } catch {
      return false;
    }
    if (own.count === 0 && this.#own.get(account) === own) this.#own.delete(account);
    if (own.count > 0 && Number(held) > own.limit) onOverLimit?.(account, Number(held), own.limit);
    return true;
  }
}
