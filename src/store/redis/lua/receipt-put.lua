#!lua
-- Notes that the reply to a connection was written. Running it twice is the same as once.
--
-- KEYS[1]  hash of a replica: its connections whose reply was written and not noted in their prompts yet
--
-- ARGV[1]  connection
-- ARGV[2]  milliseconds until the hash may be dropped
--
-- Reply    'ok'

redis.call('HSET', KEYS[1], ARGV[1], '')
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return { 'ok' }
