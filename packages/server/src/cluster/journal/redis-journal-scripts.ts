// Lua scripts of the journal writer. A stream entry has the id `<last seq>-<number of events>`, so a position in the stream is a
// `seq`: a reader that has everything up to n reads the entries after n.
//
// The key `journalEnd` holds the last `seq`, the epoch, the token of the writer and the run id of the Redis server. It is written
// together with the entries, so the two always agree.
import { script } from '../redis-script.ts';

/** Lua: rejects the caller unless its token, ARGV[1], is that of the lease, KEYS[3]. */
const FENCE = `
local token = redis.call('HGET', KEYS[3], 'token')
if token ~= ARGV[1] then return {'fenced', token or ''} end
`;

/**
 * Takes over as the writer: appends of an earlier writer are rejected from now on. Without a stream, the epoch ARGV[2] starts, and
 * is announced before its first event: a gateway that starts meanwhile already knows it.
 */
export const OPEN_JOURNAL = script(`${FENCE}
local stands = redis.call('HMGET', KEYS[2], 'last', 'epoch', 'server')
redis.call('HSET', KEYS[2], 'token', ARGV[1])
local exists = redis.call('EXISTS', KEYS[1])
if exists == 0 then redis.call('HSET', KEYS[2], 'epoch', ARGV[2]) end
return {'ok', stands[1] or '', stands[2] or '', stands[3] or '', exists}
`);

/**
 * ARGV: token, token of the last append, epoch, run id of the server ('filling' while a lost stream is refilled: its end is then
 * not the end of what was read), `seq` to trim to ('' for none), '1' if an empty stream may start here; then for each entry: the
 * `seq` before it, last `seq`, number of events, '1' if a hole before it is allowed, bytes.
 *
 * Existing entries are skipped, so an append may be repeated after an unclear failure. Stored numbers stay text, because Lua
 * formats large ones differently.
 */
export const APPEND_JOURNAL = script(`${FENCE}
local stands = redis.call('HMGET', KEYS[2], 'last', 'token')
local last, writer = stands[1], stands[2]
if redis.call('EXISTS', KEYS[1]) == 0 then
  if ARGV[6] ~= '1' then return {'empty'} end
  last = false
elseif writer ~= ARGV[1] and writer ~= ARGV[2] then
  return {'foreign', writer or ''}
end
local failed, added = false, false
for i = 7, #ARGV, 5 do
  if not last or tonumber(ARGV[i + 1]) > tonumber(last) then
    if last and tonumber(ARGV[i]) ~= tonumber(last) and ARGV[i + 3] ~= '1' then
      failed = {'hole', last}
      break
    end
    local reply = redis.pcall('XADD', KEYS[1], ARGV[i + 1] .. '-' .. ARGV[i + 2], 'b', ARGV[i + 4])
    if type(reply) == 'table' and reply.err then
      failed = {'failed', reply.err}
      break
    end
    last = ARGV[i + 1]
    added = true
  end
end
if added or not failed then redis.call('HSET', KEYS[2], 'last', last, 'token', ARGV[1], 'epoch', ARGV[3], 'server', ARGV[4]) end
if ARGV[5] ~= '' then redis.call('XTRIM', KEYS[1], 'MINID', '~', ARGV[5]) end
return failed or {'ok', last}
`);
