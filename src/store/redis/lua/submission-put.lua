#!lua
-- Remembers a submission, and forgets the names of those whose time is over.
--
-- KEYS[1]  the submission
-- KEYS[2]  submissions of the shard by the time that they may be dropped at
--
-- ARGV[1]  milliseconds to take for the time; empty: the server's own clock
-- ARGV[2]  milliseconds that it is kept
-- ARGV[3]  its member in KEYS[2]
-- ARGV[4]  its record
--
-- Reply    'ok'

local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local ttl = tonumber(ARGV[2])
local until_ms = string.format('%d', now + ttl)

redis.call('SET', KEYS[1], until_ms .. ' ' .. ARGV[4], 'PX', ttl)
redis.call('ZADD', KEYS[2], until_ms, ARGV[3])
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', string.format('(%d', now))
if redis.call('PTTL', KEYS[2]) < ttl then
  redis.call('PEXPIRE', KEYS[2], ttl)
end
return { 'ok' }
