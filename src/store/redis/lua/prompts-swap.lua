#!lua
-- Puts new states of prompts of one shard in place, each only if nobody changed it since it was read.
-- Running it twice is the same as once: a state that is there already counts as swapped.
--
-- KEYS[1]    prompts of the shard by the time that they need attention at
-- KEYS[2]    open buckets of the shard by the time that they were opened at
-- KEYS[3..]  prompts, each a token of 12 characters and a packed state
--
-- ARGV[1]    milliseconds to take for the time; empty: the server's own clock
-- ARGV[2]    PUBLISH or SPUBLISH
-- ARGV[3]    channel that hears of what was swapped
-- ARGV[4]    who swaps, as JSON
-- ARGV[5..]  for each prompt: its member in KEYS[1]; the token that was read, empty if there was no value; the new
--            value, empty to drop the prompt; milliseconds until it may be dropped; time of its next attention in ms;
--            its notice as JSON, empty for none; number of changes to KEYS[2]; then for each change the member, and
--            'open' or 'closed'
--
-- Reply      'swapped', time in ms, then for each prompt 'ok' or 'conflict' and the value that is there, else false. The
--            value of a key that holds no text is a list with its error.

local TOKEN = 12

local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end

local function extend(key, ttl)
  if redis.call('PTTL', key) < ttl then
    redis.call('PEXPIRE', key, ttl)
  end
end

-- Lists of another kind are found before anything is changed.
redis.call('ZCARD', KEYS[1])
redis.call('ZCARD', KEYS[2])

local reply = { 'swapped', now }
local notices = { ARGV[4] }
local place = 5

for at = 3, #KEYS do
  local key = KEYS[at]
  local member, read, value = ARGV[place], ARGV[place + 1], ARGV[place + 2]
  local ttl, attention = tonumber(ARGV[place + 3]), ARGV[place + 4]
  local notice, changes = ARGV[place + 5], tonumber(ARGV[place + 6])
  local first = place + 7
  place = first + 2 * changes

  local found = redis.pcall('GETRANGE', key, 0, TOKEN - 1)
  local repeated = value ~= '' and found == string.sub(value, 1, TOKEN)
  if type(found) == 'table' then
    reply[#reply + 1] = 'conflict'
    reply[#reply + 1] = { found.err }
  elseif found == read or repeated then
    if value == '' then
      redis.call('DEL', key)
      redis.call('ZREM', KEYS[1], member)
    else
      redis.call('SET', key, value, 'PX', ttl)
      redis.call('ZADD', KEYS[1], attention, member)
      extend(KEYS[1], ttl)
    end
    for change = first, place - 2, 2 do
      if ARGV[change + 1] == 'open' then
        redis.call('ZADD', KEYS[2], 'NX', now, ARGV[change])
        extend(KEYS[2], ttl)
      else
        redis.call('ZREM', KEYS[2], ARGV[change])
      end
    end
    if notice ~= '' then
      notices[#notices + 1] = notice
    end
    reply[#reply + 1] = 'ok'
    reply[#reply + 1] = false
  else
    reply[#reply + 1] = 'conflict'
    reply[#reply + 1] = redis.call('GET', key)
  end
end

if #notices > 1 then
  redis.call(ARGV[2], ARGV[3], '[' .. table.concat(notices, ',') .. ']')
end
return reply
