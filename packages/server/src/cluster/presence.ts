// Registry of live gateways. Each sends a heartbeat every second and gets the list of all in return; one without a heartbeat for
// ALIVE_MS counts as dead. Only the clock of Redis counts: the clocks of the gateways need not agree.
import type { Log } from '../ops/log.ts';
import type { RedisKeys } from './redis-keys.ts';
import type { RedisLink, ScriptLink } from './redis-link.ts';
import { REDIS_NOW, script } from './redis-script.ts';

const HEARTBEAT_MS = 1_000;
/** Three heartbeats may be lost. The next heartbeat of any gateway removes a dead one, at most 4.5 s after its last. */
export const ALIVE_MS = 3_500;

/**
 * KEYS: gateways, info. ARGV: time, id, info, ms after which a silent gateway is dead. Returns whether this one counted as
 * dead, and the info of all live gateways.
 */
const HEARTBEAT = script(`${REDIS_NOW}
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

/** KEYS: gateways, info. ARGV: id. */
const LEAVE = script(`
redis.call('ZREM', KEYS[1], ARGV[1])
return redis.call('HDEL', KEYS[2], ARGV[1])
`);

/** KEYS: gateways, info. ARGV: time, ms after which a silent gateway is dead. */
const LIST = script(`${REDIS_NOW}
local living = {}
for _, id in ipairs(redis.call('ZRANGE', KEYS[1], string.format('%.0f', now - tonumber(ARGV[2])), '+inf', 'BYSCORE')) do
  living[#living + 1] = redis.call('HGET', KEYS[2], id)
end
return living
`);

export const PRESENCE_SCRIPTS = [HEARTBEAT, LEAVE, LIST] as const;

/** What a gateway publishes about itself. */
/** What a gateway may grant alone while Redis cannot be reached: at least 1 of a limit that is not 0. */
export const shareOf = (limit: number, gateways: number): number =>
  Math.min(limit, Math.max(1, Math.floor(limit / Math.max(1, gateways))));

export interface GatewayInfo {
  readonly id: string;
  /** Authenticated connections. */
  readonly clients: number;
  /** ms since the epoch */
  readonly startedAt: number;
  /** API version. */
  readonly version: string;
  /** Version of the database schema. */
  readonly schema: number;
}

export interface PresenceOptions {
  /** With CLUSTER_SCRIPTS. */
  readonly link: ScriptLink;
  readonly keys: RedisKeys;
  readonly info: () => GatewayInfo;
  readonly log: Log;
  /** Called if this gateway counted as dead or Redis lost its data: what it holds must be reported again. */
  readonly onRevived?: () => void;
}

export class Presence {
  readonly #options: PresenceOptions;
  #timer: ReturnType<typeof setInterval> | null = null;
  #last: readonly GatewayInfo[] = [];
  #left = false;
  #heartbeats = 0;

  constructor(options: PresenceOptions) {
    this.#options = options;
    options.link.onReconnect(() => {
      if (this.#timer) void this.heartbeat();
    });
  }

  async start(): Promise<void> {
    this.#timer = setInterval(() => void this.heartbeat(), HEARTBEAT_MS);
    await this.heartbeat();
  }

  /** All gateways that were live at the last heartbeat; while Redis cannot be reached, those last seen. */
  get gateways(): readonly GatewayInfo[] {
    return this.#last;
  }

  /** Includes this gateway, even before its first heartbeat. */
  get count(): number {
    return Math.max(1, this.#last.length);
  }

  /** Authenticated connections of all gateways. */
  get clients(): number {
    const { id, clients } = this.#options.info();
    return this.#last.reduce((sum, gateway) => sum + (gateway.id === id ? 0 : gateway.clients), clients);
  }

  async heartbeat(): Promise<void> {
    const { link, keys, info, log, onRevived } = this.#options;
    if (this.#left) return;
    const own = info();
    try {
      const [dead, living] = (await link.run(
        HEARTBEAT,
        [keys.gateways, keys.gatewayInfo],
        ['', own.id, JSON.stringify(own), String(ALIVE_MS)],
      )) as [number, string[]];
      this.#last = living.map((text) => JSON.parse(text) as GatewayInfo);
      if (dead === 1 && this.#heartbeats++ > 0) {
        log.warn('this gateway counted as dead, or Redis lost its data: reporting its slots again');
        onRevived?.();
      }
    } catch {
      // The link logs that Redis cannot be reached.
    }
  }

  /** Removes this gateway from the registry: its slots are free immediately. */
  async leave(): Promise<void> {
    const { link, keys, info } = this.#options;
    this.#left = true;
    if (this.#timer) clearInterval(this.#timer);
    await link.run(LEAVE, [keys.gateways, keys.gatewayInfo], [info().id]).catch(() => {});
  }
}

/** All live gateways, for processes that are not gateways. */
export async function listGateways(link: RedisLink, keys: RedisKeys): Promise<GatewayInfo[]> {
  const living = await link.run(LIST, [keys.gateways, keys.gatewayInfo], ['', String(ALIVE_MS)]);
  return (living as string[]).map((text) => JSON.parse(text) as GatewayInfo);
}
