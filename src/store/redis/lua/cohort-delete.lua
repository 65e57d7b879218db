#!lua
-- Deletes a cohort, and marks that this was meant: who has it in memory must not restore it.
--
-- KEYS[1]  cohorts: name to definition
-- KEYS[2]  mark that this generation of the cohort was deleted
--
-- ARGV[1]  name
-- ARGV[2]  definition that was read
-- ARGV[3]  milliseconds that the mark stays
-- ARGV[4]  PUBLISH or SPUBLISH
-- ARGV[5]  channel that hears of it
-- ARGV[6]  what it hears, as JSON
--
-- Reply    'ok', or 'conflict' and the definition that is there, else false

local found = redis.call('HGET', KEYS[1], ARGV[1])
if found ~= ARGV[2] then
  return { 'conflict', found }
end
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('SET', KEYS[2], '1', 'PX', ARGV[3])
redis.call(ARGV[4], ARGV[5], ARGV[6])
return { 'ok' }
