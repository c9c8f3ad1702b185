// One ingest is active at a time: the one whose lease it is. The lease runs out by itself (TTL_MS) unless it is renewed, and each
// taking of it has a token higher than all before: what is written with an older one is refused (journal/redis-journal-scripts.ts).
//
// Who stands by takes it when it has been absent for GRACE_MS, seen without an interruption of its own link. After an outage of
// Redis the holder is thereby back before anyone else: it still has what Redis missed. A lease that was given back is taken at
// once. From a kill to the takeover pass at most TTL_MS + POLL_MS + GRACE_MS = 3.25 s.
import type { Log } from '../ops/log.ts';
import type { RedisKeys } from './redis-keys.ts';
import type { RedisLink } from './redis-link.ts';
import { script } from './redis-script.ts';

const TTL_MS = 2_000;
const RENEW_MS = 500;
const POLL_MS = 250;
const GRACE_MS = 1_000;
/** Clocks are not compared, but an answer takes its time. */
const MARGIN_MS = 300;
/** A lease that was given back is remembered for so long. */
const RELEASED_MS = 60_000;

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

/** ARGV: id, address, TTL, the least token, whether only a lease that was given back may be taken. */
const TAKE = script(`
local held = redis.call('HMGET', KEYS[1], 'token', 'id', 'released')
if held[1] then
  if held[2] ~= ARGV[1] then return {0, 'held'} end
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
  return {1, held[1]}
end
if not held[3] and ARGV[5] == '1' then return {0, 'absent'} end
${WRITE}`);

/**
 * ARGV: id, address, TTL, own token. Takes it again where nobody has had it since. The holder is told by its id: a renewal
 * whose answer was lost may have given it a token it does not know.
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

/** ARGV: own token, how long it is remembered. */
const RELEASE = script(`
if redis.call('HGET', KEYS[1], 'token') ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 'released', ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1
`);

export const LEASE_SCRIPTS = [TAKE, RENEW, RELEASE] as const;

export interface LeaseOptions {
  /** With CLUSTER_SCRIPTS. */
  readonly link: RedisLink;
  readonly keys: RedisKeys;
  /** Of this process: another with each start. */
  readonly id: string;
  /** host:port by which gateways reach this process. */
  readonly address: string;
  /** Tokens are higher than this, whatever Redis has forgotten: the newest that the store has seen. */
  readonly minimumToken?: () => Promise<number>;
  readonly log: Log;
  /** Another has it: everything that writes must stop. */
  readonly onLost: () => void;
  readonly ttlMs?: number;
  readonly renewMs?: number;
  readonly graceMs?: number;
}

export class Lease {
  /** 0 before it was first taken. */
  token = 0;
  readonly #options: LeaseOptions;
  readonly #ttlMs: number;
  /** By the process's own clock, which goes on while the process is stopped. */
  #validUntil = 0;
  #lost = false;
  #timer: ReturnType<typeof setInterval> | null = null;
  #renewing: Promise<void> | null = null;
  #waiting = true;

  constructor(options: LeaseOptions) {
    this.#options = options;
    this.#ttlMs = options.ttlMs ?? TTL_MS;
    options.link.onUp(() => {
      if (this.token > 0) void this.renew();
    });
  }

  /** Another has it, or it was given back. */
  get lost(): boolean {
    return this.#lost;
  }

  /** Whether it is certainly ours at this moment. */
  held(): boolean {
    return !this.#lost && performance.now() < this.#validUntil;
  }

  /** Stands by until it is ours; false where `stop` came first. */
  async acquire(): Promise<boolean> {
    const { link, log, graceMs = GRACE_MS } = this.#options;
    let absentSince: number | null = null;
    let connections = link.connections;
    while (this.#waiting) {
      const grace = absentSince !== null && performance.now() - absentSince >= graceMs;
      const found = await this.#take(!grace).catch(() => 'away' as const);
      if (found === 'taken') {
        log.info('this ingest is the active one', { token: this.token });
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

  /** Holds it for longer, or finds that it is another's. */
  renew(): Promise<void> {
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = null;
    });
    return this.#renewing;
  }

  /** Gives it back, so that another can take it at once. */
  async release(): Promise<void> {
    const { link, keys } = this.#options;
    this.stop();
    await this.#renewing;
    this.#validUntil = 0;
    if (this.#lost || this.token === 0) return;
    this.#lost = true;
    await link
      .run(RELEASE, [keys.lease], [String(this.token), String(RELEASED_MS)])
      .catch((error) => this.#options.log.warn('the lease could not be given back; it runs out', { error }));
  }

  /** Neither waits for it nor renews it any more. */
  stop(): void {
    this.#waiting = false;
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }

  async #take(onlyReleased: boolean): Promise<'taken' | 'held' | 'absent'> {
    const { link, keys, id, address, minimumToken } = this.#options;
    // Asked for only where it is about to be taken: whoever stands by does so for weeks.
    const seen = onlyReleased ? 0 : ((await minimumToken?.()) ?? 0);
    const asked = performance.now();
    const least = String(Math.max(seen, this.token));
    const args = [id, address, String(this.#ttlMs), least, onlyReleased ? '1' : '0'];
    const [taken, what] = (await link.run(TAKE, [keys.lease, keys.token], args)) as [number, string];
    if (taken !== 1) return what as 'held' | 'absent';
    this.#mine(what, asked);
    return 'taken';
  }

  async #renew(): Promise<void> {
    const { link, keys, id, address, log } = this.#options;
    if (this.#lost || this.token === 0) return;
    const asked = performance.now();
    const args = [id, address, String(this.#ttlMs), String(this.token)];
    let answer: [number, string];
    try {
      answer = (await link.run(RENEW, [keys.lease, keys.token], args)) as [number, string];
    } catch {
      // It stays ours for as long as it was renewed, and is taken again if nobody has taken it.
      return;
    }
    if (this.#lost) return;
    const [mine, token] = answer;
    if (mine === 1) {
      if (token !== String(this.token)) log.warn('the lease had run out; it was taken again', { token });
      return this.#mine(token, asked);
    }
    this.#lost = true;
    this.stop();
    log.error('another ingest is active: this one was away for too long', { token: this.token, newer: token });
    this.#options.onLost();
  }

  #mine(token: string, asked: number): void {
    this.token = Number(token);
    this.#validUntil = asked + this.#ttlMs - MARGIN_MS;
  }
}
