#!lua
-- Adds to the figures of a cohort. Not to be repeated: running it twice adds twice.
--
-- KEYS[1]    figures: by step the records, each a line of its scope, a tab and numbers; by '#' and scope, how much was
--            counted without a step
-- KEYS[2]    steps that there are, each its own score
--
-- ARGV[1]    milliseconds that the figures are kept
-- ARGV[2]    most steps to keep: the highest ones
-- ARGV[3]    what makes a step where none is sent
-- ARGV[4..]  for each increment: its step, empty if none was sent; what it counts for then; its scope; how its numbers
--            merge, one letter each (s: sum, l: the lower, h: the higher); its numbers, '-' for none
--
-- Reply      'ok'

local per_step = tonumber(ARGV[3])

local function numbers(text)
  local list = {}
  for word in string.gmatch(text, '%S+') do
    list[#list + 1] = tonumber(word) or false
  end
  return list
end

local function merge(kinds, kept, added)
  local before, merged = numbers(kept), numbers(added)
  for at = 1, #merged do
    local kind, old, new = string.sub(kinds, at, at), before[at], merged[at]
    local number = new
    if old and new then
      if kind == 's' then
        number = old + new
      elseif (kind == 'l') == (old < new) then
        number = old
      end
    elseif old then
      number = old
    end
    merged[at] = number and string.format('%.17g', number) or '-'
  end
  return table.concat(merged, ' ')
end

local function add(records, scope, kinds, added)
  local head = '\n' .. scope .. '\t'
  local _, last = string.find(records, head, 1, true)
  if not last then
    return records .. head .. added
  end
  local stop = string.find(records, '\n', last, true) or #records + 1
  local merged = merge(kinds, string.sub(records, last + 1, stop - 1), added)
  return string.sub(records, 1, last) .. merged .. string.sub(records, stop)
end

for at = 4, #ARGV, 5 do
  local step, weight, scope, kinds, added = unpack(ARGV, at, at + 4)
  if step == '' then
    local counted = tonumber(redis.call('HGET', KEYS[1], '#' .. scope) or 0)
    redis.call('HSET', KEYS[1], '#' .. scope, string.format('%d', counted + weight))
    step = string.format('%d', counted - counted % per_step)
  end
  local records = redis.call('HGET', KEYS[1], step) or ''
  redis.call('HSET', KEYS[1], step, add(records, scope, kinds, added))
  redis.call('ZADD', KEYS[2], step, step)
end

local surplus = redis.call('ZCARD', KEYS[2]) - ARGV[2]
if surplus > 0 then
  for _, step in ipairs(redis.call('ZRANGE', KEYS[2], 0, surplus - 1)) do
    redis.call('HDEL', KEYS[1], step)
    redis.call('ZREM', KEYS[2], step)
  end
end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
redis.call('PEXPIRE', KEYS[2], ARGV[1])
return { 'ok' }
