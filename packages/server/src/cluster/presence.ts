// Which gateways live. Each says so every second, and hears of all others in the same breath; who has said nothing for ALIVE_MS
// is taken for dead. Only Redis's clock counts: the clocks of the gateways need not agree.
import type { Log } from '../ops/log.ts';
import type { RedisKeys } from './redis-keys.ts';
import type { RedisLink, ScriptLink } from './redis-link.ts';
import { REDIS_NOW, script } from './redis-script.ts';

const BEAT_MS = 1_000;
/** Three beats may be lost. With the next beat of any other gateway, an entry is gone at most 4.5 s after its last. */
export const ALIVE_MS = 3_500;

/**
 * KEYS: gateways, facts. ARGV: time, id, facts, how long one lives without a word. Answers with whether it was taken for
 * dead before, and the facts of all who live.
 */
const BEAT = script(`${REDIS_NOW}
local oldest = now - tonumber(ARGV[4])
local seen = redis.call('ZSCORE', KEYS[1], ARGV[2])
redis.call('ZADD', KEYS[1], now, ARGV[2])
redis.call('HSET', KEYS[2], ARGV[2], ARGV[3])
for _, id in ipairs(redis.call('ZRANGE', KEYS[1], '-inf', '(' .. string.format('%.0f', oldest), 'BYSCORE')) do
  redis.call('ZREM', KEYS[1], id)
  redis.call('HDEL', KEYS[2], id)
end
local dead = 0
if not seen or tonumber(seen) < oldest then dead = 1 end
return {dead, redis.call('HVALS', KEYS[2])}
`);

/** KEYS: gateways, facts. */
const LEAVE = script(`
redis.call('ZREM', KEYS[1], ARGV[1])
return redis.call('HDEL', KEYS[2], ARGV[1])
`);

/** KEYS: gateways, facts. ARGV: time, how long one lives without a word. */
const LIST = script(`${REDIS_NOW}
local living = {}
for _, id in ipairs(redis.call('ZRANGE', KEYS[1], string.format('%.0f', now - tonumber(ARGV[2])), '+inf', 'BYSCORE')) do
  living[#living + 1] = redis.call('HGET', KEYS[2], id)
end
return living
`);

export const PRESENCE_SCRIPTS = [BEAT, LEAVE, LIST] as const;

/** What a gateway says of itself. */
export interface GatewayFacts {
  readonly id: string;
  /** Authenticated connections. */
  readonly clients: number;
  /** ms since the epoch */
  readonly startedAt: number;
  /** Of its code, and of the schema it works with. */
  readonly version: string;
  readonly schema: number;
}

export interface PresenceOptions {
  /** With CLUSTER_SCRIPTS. */
  readonly link: ScriptLink;
  readonly keys: RedisKeys;
  readonly facts: () => GatewayFacts;
  readonly log: Log;
  /** It was taken for dead, or Redis has forgotten: what it holds must be said again. */
  readonly onRevived?: () => void;
}

export class Presence {
  readonly #options: PresenceOptions;
  #timer: ReturnType<typeof setInterval> | null = null;
  #last: readonly GatewayFacts[] = [];
  #left = false;
  #beats = 0;

  constructor(options: PresenceOptions) {
    this.#options = options;
    options.link.onUp(() => {
      if (this.#timer) void this.beat();
    });
  }

  async start(): Promise<void> {
    this.#timer = setInterval(() => void this.beat(), BEAT_MS);
    await this.beat();
  }

  /** All gateways that lived at the last beat; while Redis is away, those that were last seen. */
  get gateways(): readonly GatewayFacts[] {
    return this.#last;
  }

  /** This one among them, even before it was first heard. */
  get count(): number {
    return Math.max(1, this.#last.length);
  }

  /** Connected clients of all gateways, this one's as of now. */
  get clients(): number {
    const { id, clients } = this.#options.facts();
    return this.#last.reduce((sum, gateway) => sum + (gateway.id === id ? 0 : gateway.clients), clients);
  }

  /** Says that this gateway lives. */
  async beat(): Promise<void> {
    const { link, keys, facts, log, onRevived } = this.#options;
    if (this.#left) return;
    const said = facts();
    try {
      const [dead, living] = (await link.run(
        BEAT,
        [keys.gateways, keys.gatewayFacts],
        ['', said.id, JSON.stringify(said), String(ALIVE_MS)],
      )) as [number, string[]];
      this.#last = living.map((text) => JSON.parse(text) as GatewayFacts);
      if (dead === 1 && this.#beats++ > 0) {
        log.warn('this gateway was taken for dead, or Redis has forgotten it; it says again what it holds');
        onRevived?.();
      }
    } catch {
      // The link says that it is away.
    }
  }

  /** Goes with notice: its slots are free at once. */
  async leave(): Promise<void> {
    const { link, keys, facts } = this.#options;
    this.#left = true;
    if (this.#timer) clearInterval(this.#timer);
    await link.run(LEAVE, [keys.gateways, keys.gatewayFacts], [facts().id]).catch(() => {});
  }
}

/** All gateways that live, for who is none itself. */
export async function listGateways(link: RedisLink, keys: RedisKeys): Promise<GatewayFacts[]> {
  const living = await link.run(LIST, [keys.gateways, keys.gatewayFacts], ['', String(ALIVE_MS)]);
  return (living as string[]).map((text) => JSON.parse(text) as GatewayFacts);
}
