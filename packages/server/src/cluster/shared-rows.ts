// The rows of files that an account downloads per day, counted across all gateways. If Redis cannot be reached, a gateway
// counts alone, up to its share of the limit; those rows are not reported afterwards.
import { LocalRowCounter, type RowCount, type RowCounter } from '../access/row-allowance.ts';
import { shareOf } from './presence.ts';
import type { RedisKeys } from './redis-keys.ts';
import { replyInTime, type ScriptLink } from './redis-link.ts';
import { script } from './redis-script.ts';

/** A count outlives its day a little, for downloads that end after midnight. */
const KEPT_MS = 2 * 86_400_000;

/** KEYS: a count. ARGV: rows, limit, time to live in ms. Returns whether they were counted, and the count as text. */
const TAKE = script(`
local used, rows = tonumber(redis.call('GET', KEYS[1]) or '0'), tonumber(ARGV[1])
if used + rows > tonumber(ARGV[2]) then return {0, string.format('%.0f', used)} end
if rows > 0 then redis.call('SET', KEYS[1], string.format('%.0f', used + rows), 'PX', ARGV[3]) end
return {1, string.format('%.0f', used + rows)}
`);

/** KEYS: a count. ARGV: rows. */
const GIVE_BACK = script(`
local used = redis.call('GET', KEYS[1])
if used then redis.call('SET', KEYS[1], string.format('%.0f', math.max(0, tonumber(used) - tonumber(ARGV[1]))), 'KEEPTTL') end
return 0
`);

export const ROW_SCRIPTS = [TAKE, GIVE_BACK] as const;

export interface SharedRowsOptions {
  /** With CLUSTER_SCRIPTS. */
  readonly link: ScriptLink;
  readonly keys: RedisKeys;
  /** Number of gateways last seen. */
  readonly gateways: () => number;
}

export class SharedRows implements RowCounter {
  readonly #options: SharedRowsOptions;
  readonly #alone = new LocalRowCounter();

  constructor(options: SharedRowsOptions) {
    this.#options = options;
  }

  async take(account: string, day: number, rows: number, limit: number): Promise<RowCount> {
    const { link, keys, gateways } = this.#options;
    const args = [String(rows), String(limit), String(KEPT_MS)];
    try {
      const reply = await replyInTime(link.run(TAKE, [keys.exportedRows(account, day)], args));
      const [granted, used] = reply as [number, string];
      return { granted: granted === 1, used: Number(used) };
    } catch {
      const share = shareOf(limit, gateways());
      const { granted, used } = await this.#alone.take(account, day, rows, share);
      return { granted, used: used + limit - share, isLocal: true };
    }
  }

  /** Rows that cannot be given back stay counted: too many rather than too few. */
  async giveBack(account: string, day: number, rows: number, { isLocal = false }: RowCount): Promise<void> {
    const { link, keys } = this.#options;
    if (isLocal) return this.#alone.giveBack(account, day, rows);
    await link.run(GIVE_BACK, [keys.exportedRows(account, day)], [String(rows)]).catch(() => {});
  }
}
