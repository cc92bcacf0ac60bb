-- What Redis knows about one secret, in one round trip.
--
-- KEYS  key:<digest>, bypass:<digest>, key-cache, and the counter of the call where there is one
-- ARGV  the longest silence in milliseconds; the entry that the process knows, and its generation; the counter's limit and seconds
-- Gives {entry, generation}: false for what is not there, generation false where nothing may be cached.
-- Gives {1, admitted, used} where the entry is the one that the process knows, so that it need not be sent and read again.
-- Then alone the call is counted: the process has checked the call against that entry, and against no other.
--
-- A change to a key reaches the cache as a bypass. One that was made while Redis could not be reached sets none, so an entry
-- older than such a time must not be believed. It shows as a silence: this script runs with every call, and when it did not
-- run for a while, a new generation begins. An entry is believed in the generation it was read from PostgreSQL in.

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local known = redis.call('HMGET', KEYS[3], 'heard_at', 'generation')
local silence = now - tonumber(known[1] or 0)
local generation = known[2]
if not generation or silence < 0 or silence > tonumber(ARGV[1]) then
  generation = time[1] .. '.' .. time[2]
end
redis.call('HSET', KEYS[3], 'heard_at', now, 'generation', generation)

if redis.call('EXISTS', KEYS[2]) == 1 then
  return {false, false}
end
local entry = redis.call('GET', KEYS[1])
if entry and entry == ARGV[2] and generation == ARGV[3] then
  if not KEYS[4] then return {1, 0, 0} end
  return {1, count(KEYS[4], ARGV[4], ARGV[5])}
end
if not entry or cjson.decode(entry).generation ~= generation then
  return {false, generation}
end
return {entry, generation}
