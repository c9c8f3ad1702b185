// Lua scripts that count the requests of an account: a list of their times in ms as text, oldest first.
import { REDIS_NOW, script } from './redis-script.ts';

/**
 * KEYS: one per account. ARGV: time, window, then per key: limit and number of requests. Returns for each key how many were
 * granted, how many count now, and the age of the oldest in ms (as text).
 */
export const TAKE = script(`${REDIS_NOW}
local window = tonumber(ARGV[2])
local answer = {}
for i, key in ipairs(KEYS) do
  local limit, wanted = tonumber(ARGV[i * 2 + 1]), tonumber(ARGV[i * 2 + 2])
  -- If the clock was set back, the account would be blocked until the clock has caught up.
  local newest = redis.call('LINDEX', key, -1)
  if newest and tonumber(newest) > now + 1000 then redis.call('DEL', key) end
  local oldest = redis.call('LINDEX', key, 0)
  local used = redis.call('LLEN', key)
  if oldest and tonumber(oldest) <= now - window then
    local gone, kept = 1, used
    while gone < kept do
      local middle = math.floor((gone + kept) / 2)
      if tonumber(redis.call('LINDEX', key, middle)) <= now - window then gone = middle + 1 else kept = middle end
    end
    redis.call('LTRIM', key, gone, -1)
    used = used - gone
    oldest = redis.call('LINDEX', key, 0)
  end
  local granted = math.max(0, math.min(wanted, limit - used))
  if granted > 0 then
    local time = string.format('%.3f', now)
    for _ = 1, granted do redis.call('RPUSH', key, time) end
    redis.call('PEXPIRE', key, math.ceil(window))
    oldest = oldest or time
  end
  answer[#answer + 1] = granted
  answer[#answer + 1] = used + granted
  answer[#answer + 1] = oldest and string.format('%.3f', now - tonumber(oldest)) or '0'
end
return answer
`);

/** KEYS: an account. ARGV: time, window, ages in ms of requests that a gateway granted on its own. Inserts them in order. */
export const REPORT = script(`${REDIS_NOW}
local window = tonumber(ARGV[2])
local times = {}
for _, text in ipairs(redis.call('LRANGE', KEYS[1], 0, -1)) do times[#times + 1] = tonumber(text) end
for i = 3, #ARGV do times[#times + 1] = now - tonumber(ARGV[i]) end
table.sort(times)
redis.call('DEL', KEYS[1])
for _, time in ipairs(times) do
  if time > now - window then redis.call('RPUSH', KEYS[1], string.format('%.3f', time)) end
end
redis.call('PEXPIRE', KEYS[1], math.ceil(window))
return #times
`);

/** KEYS: memory. ARGV: time, id to set if there is none. Returns the id of the memory and its age in ms. */
export const MEMORY = script(`${REDIS_NOW}
redis.call('SET', KEYS[1], ARGV[2] .. ' ' .. string.format('%.3f', now), 'NX')
local name, since = string.match(redis.call('GET', KEYS[1]), '(%S+) (%S+)')
return {name, string.format('%.0f', now - tonumber(since))}
`);

export const ALLOWANCE_SCRIPTS = [TAKE, REPORT, MEMORY] as const;
