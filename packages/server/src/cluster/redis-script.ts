// A Lua script, which Redis runs atomically.
import { createHash } from 'node:crypto';

export interface RedisScript {
  readonly source: string;
  /** SHA-1 of the source, by which Redis knows a loaded script. */
  readonly sha: string;
}

export function script(source: string): RedisScript {
  return { source, sha: createHash('sha1').update(source).digest('hex') };
}

/** Lua: sets `now` to the time of Redis in ms, with µs precision. Tests pass their own time in ARGV[1], which is '' otherwise. */
export const REDIS_NOW = `
local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + time[2] / 1000
end
`;
