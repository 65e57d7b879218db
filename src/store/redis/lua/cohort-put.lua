#!lua
-- Creates, replaces or restores a cohort if nobody changed it since it was read. It stays until it is deleted.
--
-- KEYS[1]  cohorts: name to definition
-- KEYS[2]  mark that this generation of the cohort was deleted
--
-- ARGV[1]  name
-- ARGV[2]  definition that was read; empty if there was none
-- ARGV[3]  new definition
-- ARGV[4]  PUBLISH or SPUBLISH
-- ARGV[5]  channel that hears of it
-- ARGV[6]  what it hears, as JSON
--
-- Reply    'ok'; 'deleted' when the mark is there; or 'conflict' and the definition that is there, else false

if redis.call('EXISTS', KEYS[2]) == 1 then
  return { 'deleted' }
end
local found = redis.call('HGET', KEYS[1], ARGV[1])
if found == ARGV[3] then
  return { 'ok' }
end
if (found or '') ~= ARGV[2] then
  return { 'conflict', found }
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
redis.call(ARGV[4], ARGV[5], ARGV[6])
return { 'ok' }
