// Counts attempts across all gateways: a burst, then one attempt per interval, for several keys at once. Redis holds the time at
// which the full burst of a key is available again, by its own clock; keys are hashed. If Redis cannot be reached, nothing is counted here, and
// each gateway counts alone.
import { sha256Hex } from '../ops/sha256.ts';
import type { CountedAttempt, SharedBursts } from '../work/burst-limiter.ts';
import type { RedisKeys } from './redis-keys.ts';
import { replyInTime, type ScriptLink } from './redis-link.ts';
import { REDIS_NOW, script } from './redis-script.ts';

/** ARGV: time, then burst and interval in ms for each key. Returns 0, or the ms to wait; over a limit, nothing is counted. */
const TAKE = script(`${REDIS_NOW}
local freeAt = {}
for i, key in ipairs(KEYS) do
  local burst, every = tonumber(ARGV[2 * i]), tonumber(ARGV[2 * i + 1])
  freeAt[i] = math.max(now, tonumber(redis.call('GET', key) or '0')) + every
  local wait = math.ceil(freeAt[i] - now - burst * every)
  if wait > 0 then return wait end
end
for i, key in ipairs(KEYS) do
  redis.call('SET', key, string.format('%.0f', freeAt[i]), 'PX', string.format('%.0f', math.max(1, freeAt[i] - now)))
end
return 0
`);

/** ARGV: interval in ms for each key. */
const GIVE_BACK = script(`
for i, key in ipairs(KEYS) do
  local freeAt = redis.call('GET', key)
  if freeAt then redis.call('SET', key, string.format('%.0f', tonumber(freeAt) - tonumber(ARGV[i])), 'KEEPTTL') end
end
return 0
`);

export const ATTEMPT_SCRIPTS = [TAKE, GIVE_BACK] as const;

export class SharedAttempts implements SharedBursts {
  readonly #link: ScriptLink;
  readonly #keys: RedisKeys;

  /** `link`: with CLUSTER_SCRIPTS. */
  constructor(link: ScriptLink, keys: RedisKeys) {
    this.#link = link;
    this.#keys = keys;
  }

  /** Returns 0, or the milliseconds to wait. */
  async take(attempts: readonly CountedAttempt[]): Promise<number> {
    const limits = attempts.flatMap(({ limit: { burst, everyMs } }) => [String(burst), String(everyMs)]);
    try {
      return Number(await replyInTime(this.#link.run(TAKE, this.#names(attempts), ['', ...limits])));
    } catch {
      return 0;
    }
  }

  async giveBack(attempts: readonly CountedAttempt[]): Promise<void> {
    const intervals = attempts.map(({ limit }) => String(limit.everyMs));
    await this.#link.run(GIVE_BACK, this.#names(attempts), intervals).catch(() => {});
  }

  #names(attempts: readonly CountedAttempt[]): string[] {
    return attempts.map(({ key }) => this.#keys.attempts(sha256Hex(key).slice(0, 32)));
  }
}
