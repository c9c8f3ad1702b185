// What the writer of the journal does at Redis. An entry of the stream has the id `<its last seq>-<its number of events>`, so
// that a position in the stream is a seq: who has everything up to n reads what comes after n.
//
// `end` holds where the stream ends (last), its epoch, the token of its writer and the id of the Redis that it was written
// to. It is written together with the entries, so the two agree whatever happens to Redis.
import { script } from '../cluster/redis-script.ts';

/** Lua: the token of the lease must be the caller's, in ARGV[1]. KEYS[3] is the lease. */
const FENCE = `
local token = redis.call('HGET', KEYS[3], 'token')
if token ~= ARGV[1] then return {'fenced', token or ''} end
`;

/** Takes the writing over: what an earlier writer still sends is refused from here on. */
export const OPEN_JOURNAL = script(`${FENCE}
local stands = redis.call('HMGET', KEYS[2], 'last', 'epoch', 'server')
redis.call('HSET', KEYS[2], 'token', ARGV[1])
return {'ok', stands[1] or '', stands[2] or '', stands[3] or '', redis.call('EXISTS', KEYS[1])}
`);

/**
 * ARGV: token, the writer's token when it last wrote, epoch, server (or that it is still being filled again: who takes over
 * then must not take its end for the end of everything that was read), seq to trim to ('' for none), whether an empty stream may
 * begin here, then per entry: seq before it, last seq, events, whether a hole may lie before it, bytes.
 *
 * An entry that is there already is passed over: sending again after an unclear failure does no harm. Numbers come and go as
 * text where they are kept: Lua writes large ones in its own way.
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
    local added = redis.pcall('XADD', KEYS[1], ARGV[i + 1] .. '-' .. ARGV[i + 2], 'b', ARGV[i + 4])
    if type(added) == 'table' and added.err then
      failed = {'failed', added.err}
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
