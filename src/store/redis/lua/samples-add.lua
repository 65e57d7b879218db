#!lua
-- Keeps the latest completions of one agent.
--
-- KEYS[1]    its completions by when they came, in microseconds
--
-- ARGV[1]    milliseconds that they are kept
-- ARGV[2]    most to keep
-- ARGV[3..]  what is added
--
-- Reply      'ok'

local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
for at = 3, #ARGV do
  redis.call('ZADD', KEYS[1], string.format('%d', now + at), ARGV[at])
end
local surplus = redis.call('ZCARD', KEYS[1]) - ARGV[2]
if surplus > 0 then
  redis.call('ZREM', KEYS[1], unpack(redis.call('ZRANGE', KEYS[1], 0, surplus - 1)))
end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return { 'ok' }
