// Stream slots of an account over all gateways. Each gateway says how many of an account it holds, as a whole number and not as
// a change: saying it twice, or again after Redis has forgotten, does no harm. Only the numbers of gateways that live count
// (presence.ts), so that the slots of one that died are free within 5 s.
//
// A gateway that was away for longer than that (stopped, cut off) has lost its claim meanwhile. When it is back it says again
// what it holds, and that counts at once; an account may then be over its limit by what was taken in between, until some
// of its streams close (`onOver` tells).
//
// While Redis is away a gateway goes by itself, and `degraded` says so: it gives a slot if it holds fewer than
// max(1, floor(limit / gateways)) of the account (none where the limit is 0). An account therefore has at most what it had
// before and as much again: limit + gateways × share ≤ 2 × limit, where limit ≥ gateways.
import type { Log } from '../ops/log.ts';
import { ALIVE_MS } from './presence.ts';
import type { RedisKeys } from './redis-keys.ts';
import { RedisAway, type Reply, type ScriptLink } from './redis-link.ts';
import { REDIS_NOW, script } from './redis-script.ts';

const ANSWER_MS = 250;
/** Said again so often, so that what nobody holds any more can run out. */
const SAY_MS = 300_000;
const KEPT_MS = 900_000;
const RECOVER_MS = 1_000;

/** Lua: what other gateways that live hold; KEYS: slots of the account, gateways. ARGV: time, own id, how long one lives. */
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

/** …, number of own slots with the new one, limit, how long it is kept. */
const TAKE = script(`${OTHERS}
local seen = redis.call('ZSCORE', KEYS[2], ARGV[2])
if not seen or tonumber(seen) < now - tonumber(ARGV[3]) then return {2, others} end
if others + tonumber(ARGV[4]) > tonumber(ARGV[5]) then return {0, others} end
redis.call('HSET', KEYS[1], ARGV[2], ARGV[4])
redis.call('PEXPIRE', KEYS[1], ARGV[6])
return {1, others}
`);

/** …, number of own slots, how long it is kept. Answers with all that are held. */
const SAY = script(`${OTHERS}
if ARGV[4] == '0' then redis.call('HDEL', KEYS[1], ARGV[2])
else
  redis.call('HSET', KEYS[1], ARGV[2], ARGV[4])
  redis.call('PEXPIRE', KEYS[1], ARGV[5])
end
return others + tonumber(ARGV[4])
`);

export const SLOT_SCRIPTS = [TAKE, SAY] as const;

export interface SharedSlotsOptions {
  /** With CLUSTER_SCRIPTS. */
  readonly link: ScriptLink;
  readonly keys: RedisKeys;
  /** Of this gateway, as its presence has it. */
  readonly id: string;
  readonly gateways: () => number;
  /** Says that this gateway lives, where Redis does not know it. */
  readonly beat: () => Promise<void>;
  readonly log: Log;
  /** Together with others, an account has more streams than its limit. */
  readonly onOver?: (account: string, held: number, limit: number) => void;
}

export interface SlotTaken {
  readonly taken: boolean;
  /** Streams of the account on all gateways, as far as it is known. */
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
    this.#timer = setInterval(() => void this.sayAll(), SAY_MS);
    options.link.onUp(() => void this.sayAll());
  }

  /** Whether this gateway goes by itself. */
  get degraded(): boolean {
    return this.#degraded;
  }

  /** Takes a slot, if the account has one left. */
  async take(account: string, limit: number): Promise<SlotTaken> {
    const own = this.#own.get(account) ?? { count: 0, limit };
    this.#own.set(account, own);
    own.limit = limit;
    own.count++;
    let answer = await this.#ask(account, own.count, limit);
    if (answer?.[0] === 2) {
      await this.#options.beat();
      await this.sayAll();
      answer = await this.#ask(account, own.count, limit);
    }
    if (answer && answer[0] !== 2) {
      this.#degraded = false;
      if (answer[0] === 1) return { taken: true, held: answer[1] + own.count };
      this.#drop(account);
      return { taken: false, held: answer[1] + own.count };
    }
    this.#degrade();
    const share = Math.min(limit, Math.max(1, Math.floor(limit / Math.max(1, this.#options.gateways()))));
    if (own.count <= share) return { taken: true, held: own.count };
    this.#drop(account);
    return { taken: false, held: own.count };
  }

  /** Gives a slot back. */
  release(account: string): void {
    this.#drop(account);
  }

  /** Says of every account what this gateway holds: after it was taken for dead, or Redis has forgotten. */
  async sayAll(): Promise<void> {
    const said = await Promise.all([...this.#own.keys()].map((account) => this.#say(account)));
    if (this.#options.link.connected && !said.includes(false)) this.#degraded = false;
  }

  stop(): void {
    this.#stopped = true;
    clearInterval(this.#timer);
  }

  #degrade(): void {
    if (this.#degraded) return;
    this.#degraded = true;
    this.#options.log.warn('stream slots are counted by this gateway alone while Redis is away');
    const recover = setInterval(() => {
      if (this.#degraded && !this.#stopped) void this.sayAll();
      else clearInterval(recover);
    }, RECOVER_MS);
  }

  #drop(account: string): void {
    const own = this.#own.get(account);
    if (!own || own.count === 0) return;
    own.count--;
    void this.#say(account);
  }

  async #ask(account: string, count: number, limit: number): Promise<[number, number] | null> {
    const { link, keys, id } = this.#options;
    const args = ['', id, String(ALIVE_MS), String(count), String(limit), String(KEPT_MS)];
    let late: ReturnType<typeof setTimeout> | undefined;
    try {
      return (await Promise.race([
        link.run(TAKE, [keys.slots(account), keys.gateways], args),
        new Promise((_, reject) => {
          late = setTimeout(() => reject(new RedisAway(`no answer within ${ANSWER_MS} ms`)), ANSWER_MS);
        }),
      ])) as [number, number];
    } catch {
      return null;
    } finally {
      clearTimeout(late);
    }
  }

  /** False where Redis could not be told. */
  async #say(account: string): Promise<boolean> {
    const { link, keys, id, onOver } = this.#options;
    const own = this.#own.get(account);
    if (!own) return true;
    const args = ['', id, String(ALIVE_MS), String(own.count), String(KEPT_MS)];
    let held: Reply;
    try {
      held = await link.run(SAY, [keys.slots(account), keys.gateways], args);
    } catch {
      return false;
    }
    if (own.count === 0 && this.#own.get(account) === own) this.#own.delete(account);
    if (own.count > 0 && Number(held) > own.limit) onOver?.(account, Number(held), own.limit);
    return true;
  }
}
