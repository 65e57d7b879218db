#!lua
-- Runs every command that the other scripts run, on keys of its own, so that a missing right shows before it is needed.
--
-- KEYS[1]  text
-- KEYS[2]  hash
-- KEYS[3]  sorted set
--
-- ARGV[1]  milliseconds that they are kept
-- ARGV[2]  PUBLISH or SPUBLISH
-- ARGV[3]  channel that nobody takes a message from
--
-- Reply    'ok'

local time = redis.call('TIME')

redis.call('SET', KEYS[1], time[1], 'PX', ARGV[1])
redis.call('EXISTS', KEYS[1])
redis.call('GET', KEYS[1])
redis.call('GETRANGE', KEYS[1], 0, 0)
if redis.call('PTTL', KEYS[1]) > 0 then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
end
redis.call('DEL', KEYS[1])

redis.call('HSET', KEYS[2], 'field', time[1])
redis.call('HGET', KEYS[2], 'field')
redis.call('HDEL', KEYS[2], 'field')

redis.call('ZADD', KEYS[3], time[1], 'member')
redis.call('ZRANGE', KEYS[3], 0, 0)
redis.call('ZCARD', KEYS[3])
redis.call('ZREM', KEYS[3], 'member')
redis.call('ZREMRANGEBYSCORE', KEYS[3], 0, 0)

redis.call(ARGV[2], ARGV[3], '')
return { 'ok' }
