#!lua
-- Adds a row to a list that keeps the latest ones, unless it is among them. Running it twice is the same as once.
--
-- KEYS[1]  rows by their number, which counts from 1
--
-- ARGV[1]  row
-- ARGV[2]  most rows to keep
-- ARGV[3]  milliseconds after which the list may be dropped
--
-- Reply    'noted' and the number of the latest row

local latest = redis.call('ZRANGE', KEYS[1], -1, -1, 'WITHSCORES')
local number = tonumber(latest[2] or 0)
if redis.call('ZADD', KEYS[1], 'NX', number + 1, ARGV[1]) == 1 then
  number = number + 1
  redis.call('ZREMRANGEBYSCORE', KEYS[1], 0, number - ARGV[2])
end
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return { 'noted', number }
