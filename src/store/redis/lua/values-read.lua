#!lua flags=no-writes
-- Reads values of one slot together with the time.
--
-- KEYS[1..]  values, each a token of 12 characters and what it stands for
--
-- ARGV[1]    milliseconds to take for the time; empty: the server's own clock
--
-- Reply      'values', time in ms, then one text per key, false where there is none

local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end

local reply = { 'values', now }
for at = 1, #KEYS do
  reply[at + 2] = redis.call('GET', KEYS[at])
end
return reply
