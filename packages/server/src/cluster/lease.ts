// Leadership of the ingest role: the ingest node that holds the lease is active. The lease expires after TTL_MS unless it is
// renewed. Each acquisition has a higher token than all before; writes with an older token are rejected
// (journal/redis-journal-scripts.ts).
//
// A standby node acquires the lease after it was absent for GRACE_MS, observed without an interruption of its own link. This
// gives the holder, which still has what Redis missed, priority after an outage of Redis. A released lease is acquired
// immediately. A takeover after a kill takes at most TTL_MS + POLL_MS + GRACE_MS = 3.25 s.
import { MINUTE_MS } from '@tickwire/engine';
import type { Log } from '../ops/log.ts';
import type { RedisKeys } from './redis-keys.ts';
import type { RedisLink } from './redis-link.ts';
import { script } from './redis-script.ts';

const TTL_MS = 2_000;
const RENEW_MS = 500;
const POLL_MS = 250;
const GRACE_MS = 1_000;
/** Safety margin for the duration of a renewal. */
const MARGIN_MS = 300;
/** How long Redis remembers a released lease. */
const RELEASED_MS = MINUTE_MS;

/** Lua: writes the lease with the next token above ARGV[4]; KEYS: lease, token. */
const WRITE = `
local newest = math.max(tonumber(redis.call('GET', KEYS[2]) or '0'), tonumber(ARGV[4])) + 1
local token = string.format('%.0f', newest)
redis.call('SET', KEYS[2], token)
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 'token', token, 'id', ARGV[1], 'address', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return {1, token}
`;

/** ARGV: id, address, TTL, highest known token, '1' if only a released lease may be acquired. */
const ACQUIRE = script(`
local held = redis.call('HMGET', KEYS[1], 'token', 'id', 'released')
if held[1] then
  if held[2] ~= ARGV[1] then return {0, 'held'} end
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
  return {1, held[1]}
end
if not held[3] and ARGV[5] == '1' then return {0, 'absent'} end
${WRITE}`);

/**
 * ARGV: id, address, TTL, own token. Acquires an expired lease again if no other node has held it since. The holder is known by
 * its id: a renewal whose reply was lost may have assigned a new token.
 */
const RENEW = script(`
local found = redis.call('HMGET', KEYS[1], 'token', 'id')
local held = found[1]
if held and found[2] == ARGV[1] then
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
  return {1, held}
end
if held or tonumber(redis.call('GET', KEYS[2]) or '0') > tonumber(ARGV[4]) then return {0, held or ''} end
${WRITE}`);

/** ARGV: own token, how long the release is remembered. */
const RELEASE = script(`
if redis.call('HGET', KEYS[1], 'token') ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 'released', ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1
`);

export const LEASE_SCRIPTS = [ACQUIRE, RENEW, RELEASE] as const;

export interface LeaseOptions {
  /** With CLUSTER_SCRIPTS. */
  readonly link: RedisLink;
  readonly keys: RedisKeys;
  /** Identifies this process; new with each start. */
  readonly id: string;
  /** How gateways reach this node: text of an IngestLink. */
  readonly address: string;
  /** The highest token in the store: new tokens are higher, even if Redis has lost its data. */
  readonly minimumToken?: () => Promise<number>;
  /** Whether this node could be active; while it could not, it leaves the lease to others. Default: always. */
  readonly mayAcquire?: () => boolean;
  readonly log: Log;
  /** Called when another node holds the lease: all writes must stop. */
  readonly onLost: () => void;
  readonly ttlMs?: number;
  readonly renewMs?: number;
  readonly graceMs?: number;
}

export class Lease {
  /** 0 before the first acquisition. */
  token = 0;
  readonly #options: LeaseOptions;
  readonly #ttlMs: number;
  /** By performance.now(), which continues while the process is stopped. */
  #validUntil = 0;
  #lost = false;
  #timer: ReturnType<typeof setInterval> | null = null;
  #renewing: Promise<void> | null = null;
  #waiting = true;

  constructor(options: LeaseOptions) {
    this.#options = options;
    this.#ttlMs = options.ttlMs ?? TTL_MS;
    options.link.onReconnect(() => {
      if (this.token > 0) void this.renew();
    });
  }

  /** Another node holds it, or it was released. */
  get lost(): boolean {
    return this.#lost;
  }

  /** Whether this node certainly holds it now. */
  held(): boolean {
    return !this.#lost && performance.now() < this.#validUntil;
  }

  /** Waits until it is acquired. Resolves to false after `stop`. */
  async acquire(): Promise<boolean> {
    const { link, log, mayAcquire = () => true, graceMs = GRACE_MS } = this.#options;
    let absentSince: number | null = null;
    let connections = link.connections;
    while (this.#waiting) {
      if (!mayAcquire()) {
        absentSince = null;
        await Bun.sleep(POLL_MS);
        continue;
      }
      const grace = absentSince !== null && performance.now() - absentSince >= graceMs;
      const found = await this.#acquire(!grace).catch(() => 'unavailable' as const);
      if (found === 'acquired') {
        log.info('this ingest node is active', { token: this.token });
        this.#timer = setInterval(() => void this.renew(), this.#options.renewMs ?? RENEW_MS);
        return true;
      }
      if (found === 'absent' && connections === link.connections) absentSince ??= performance.now();
      else absentSince = null;
      connections = link.connections;
      await Bun.sleep(POLL_MS);
    }
    return false;
  }

  /** Extends the lease, or finds that another node holds it. */
  renew(): Promise<void> {
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = null;
    });
    return this.#renewing;
  }

  /** Releases it, so that another node can acquire it immediately. */
  async release(): Promise<void> {
    const { link, keys } = this.#options;
    this.stop();
    await this.#renewing;
    this.#validUntil = 0;
    if (this.#lost || this.token === 0) return;
    this.#lost = true;
    await link
      .run(RELEASE, [keys.lease], [String(this.token), String(RELEASED_MS)])
      .catch((error) => this.#options.log.warn('the lease could not be released; it expires by itself', { error }));
  }

  /** Stops waiting and renewing. */
  stop(): void {
    this.#waiting = false;
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }

  async #acquire(onlyReleased: boolean): Promise<'acquired' | 'held' | 'absent'> {
    const { link, keys, id, address, minimumToken } = this.#options;
    // Read only if it may be acquired now: a node can be on standby for weeks.
    const stored = onlyReleased ? 0 : ((await minimumToken?.()) ?? 0);
    const requestedAt = performance.now();
    const highest = String(Math.max(stored, this.token));
    const args = [id, address, String(this.#ttlMs), highest, onlyReleased ? '1' : '0'];
    const [acquired, result] = (await link.run(ACQUIRE, [keys.lease, keys.token], args)) as [number, string];
    if (acquired !== 1) return result as 'held' | 'absent';
    this.#setHeld(result, requestedAt);
    return 'acquired';
  }

  async #renew(): Promise<void> {
    const { link, keys, id, address, log } = this.#options;
    if (this.#lost || this.token === 0) return;
    const requestedAt = performance.now();
    const args = [id, address, String(this.#ttlMs), String(this.token)];
    let reply: [number, string];
    try {
      reply = (await link.run(RENEW, [keys.lease, keys.token], args)) as [number, string];
    } catch {
      // The lease stays valid until it expires, and is acquired again if no other node has.
      return;
    }
    if (this.#lost) return;
    const [held, token] = reply;
    if (held === 1) {
      if (token !== String(this.token)) log.warn('the lease had expired and was acquired again', { token });
      return this.#setHeld(token, requestedAt);
    }
    this.#lost = true;
    this.stop();
    log.error('another ingest node is active: this one did not renew its lease in time', {
      token: this.token,
      newer: token,
    });
    this.#options.onLost();
  }

  #setHeld(token: string, requestedAt: number): void {
    this.token = Number(token);
    this.#validUntil = requestedAt + this.#ttlMs - MARGIN_MS;
  }
}
