#!lua flags=no-writes
-- Reads values of one slot together with the time.
--
-- KEYS[1..]  values, each a token of 12 characters and what it stands for
--
-- ARGV[1]    milliseconds to take for the time; empty: the server's own clock
--
-- Reply      'values', time in ms, then one text per key, false where there is none, or a list with the error of a key that
--            holds something else: it must not keep the others from their readers

local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end

local reply = { 'values', now }
for at = 1, #KEYS do
  local found = redis.pcall('GET', KEYS[at])
  reply[at + 2] = type(found) == 'table' and { found.err } or found
end
return reply
