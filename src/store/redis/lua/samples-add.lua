#!lua
-- Keeps the latest completions of one agent.
--
-- KEYS[1]    its completions, the latest last
--
-- ARGV[1]    milliseconds that they are kept
-- ARGV[2]    most to keep
-- ARGV[3..]  what is added
--
-- Reply      'ok'

for at = 3, #ARGV do
  redis.call('RPUSH', KEYS[1], ARGV[at])
end
redis.call('LTRIM', KEYS[1], -tonumber(ARGV[2]), -1)
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return { 'ok' }
