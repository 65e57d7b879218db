#!lua
-- Puts a new value in place if nobody changed it since it was read. Running it twice is the same as once.
--
-- KEYS[1]  value: a token of 12 characters and what it stands for
--
-- ARGV[1]  token that was read; empty if there was no value
-- ARGV[2]  new value
-- ARGV[3]  milliseconds until it may be dropped
-- ARGV[4]  PUBLISH or SPUBLISH
-- ARGV[5]  channel that hears of it
-- ARGV[6]  what it hears, as JSON; empty for nothing
--
-- Reply    'ok', or 'conflict' and the value that is there, else false

local TOKEN = 12

local found = redis.call('GETRANGE', KEYS[1], 0, TOKEN - 1)
if found ~= ARGV[1] and found ~= string.sub(ARGV[2], 1, TOKEN) then
  return { 'conflict', redis.call('GET', KEYS[1]) }
end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
if ARGV[6] ~= '' then
  redis.call(ARGV[4], ARGV[5], ARGV[6])
end
return { 'ok' }
