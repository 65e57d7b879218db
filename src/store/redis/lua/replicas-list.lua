#!lua flags=no-writes
-- Lists the channels that somebody listens to, as the node knows that their slot lies on.
--
-- KEYS[1]    pattern of the channels, which share a hash tag
--
-- ARGV[1]    CHANNELS or SHARDCHANNELS
--
-- Reply      'replicas', then the channels

local reply = { 'replicas' }
for _, channel in ipairs(redis.call('PUBSUB', ARGV[1], KEYS[1])) do
  reply[#reply + 1] = channel
end
return reply
