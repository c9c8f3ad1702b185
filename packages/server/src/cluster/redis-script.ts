// A Lua script at Redis: everything in it happens at once or, if its first checks say so, not at all.
import { createHash } from 'node:crypto';

export interface RedisScript {
  readonly source: string;
  /** By which Redis knows it once it was loaded. */
  readonly sha: string;
}

export function script(source: string): RedisScript {
  return { source, sha: createHash('sha1').update(source).digest('hex') };
}

/** Lua: `now` in milliseconds by Redis's clock, to the microsecond; that of ARGV[1] in tests, which is '' otherwise. */
export const REDIS_NOW = `
local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + time[2] / 1000
end
`;
