#!lua flags=no-writes
-- Lists prompts of one shard that need attention now, the longest overdue first.
--
-- KEYS[1]    prompts of the shard by the time that they need attention at
--
-- ARGV[1]    milliseconds to take for the time; empty: the server's own clock
-- ARGV[2]    most prompts to list
-- ARGV[3]    how many to leave out, the longest overdue first
--
-- Reply      'due', time in ms, time of the next attention after them as text or false, then the members

local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end

local due = redis.call('ZRANGE', KEYS[1], '-inf', string.format('%d', now), 'BYSCORE', 'LIMIT', ARGV[3], ARGV[2])
local beyond = ARGV[3] + #due
local after = redis.call('ZRANGE', KEYS[1], beyond, beyond, 'WITHSCORES')

local reply = { 'due', now, after[2] or false }
for at = 1, #due do
  reply[at + 3] = due[at]
end
return reply
