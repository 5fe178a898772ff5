import type { Script } from "../script.js"

// A record is a hash. Its name is `kind:key`, and each owner and index has a sorted set of the names of its records. All of them are
// in one slot of a cluster, so that a script can change several records in one step. Redis deletes a record after it has expired, but
// not its name in the sets: a script that finds such a name there removes it.

const shared = `
local root = KEYS[1]
local fields = {"owner", "index1", "index2"}
local skew = 60000

local function keyOf(name) return root .. "record:" .. name end
local function indexOf(field, value) return root .. field .. ":" .. value end
local function text(number) return string.format("%.0f", number) end

local function read(name)
  local flat = redis.call("HGETALL", keyOf(name))
  if #flat == 0 then return nil end
  local record = {}
  for at = 1, #flat, 2 do record[flat[at]] = flat[at + 1] end
  return record
end

local function isCurrent(record, now)
  return record and (not record.expiresAt or tonumber(record.expiresAt) > now)
end

local function drop(name)
  local record = read(name)
  redis.call("DEL", keyOf(name))
  for _, field in ipairs(fields) do
    if record and record[field] then redis.call("ZREM", indexOf(field, record[field]), name) end
  end
end

local function isListed(field, value, name)
  local listed = redis.call("HGET", keyOf(name), field) == value
  if not listed then redis.call("ZREM", indexOf(field, value), name) end
  return listed
end

local function list(field, value, name, lifetime)
  local index = indexOf(field, value)
  local left = redis.call("PTTL", index)
  redis.call("ZADD", index, 0, name)
  for _, other in ipairs(redis.call("ZRANDMEMBER", index, 2)) do isListed(field, value, other) end
  if not lifetime then redis.call("PERSIST", index)
  elseif left == -2 or (left >= 0 and left < lifetime) then redis.call("PEXPIRE", index, text(lifetime)) end
end

local function put(name, record, now)
  drop(name)
  local flat = {}
  for field, value in pairs(record) do
    flat[#flat + 1] = field
    flat[#flat + 1] = value
  end
  redis.call("HSET", keyOf(name), unpack(flat))
  local lifetime
  if record.expiresAt then
    lifetime = math.max(tonumber(record.expiresAt) - now, 0) + skew
    redis.call("PEXPIRE", keyOf(name), text(lifetime))
  end
  for _, field in ipairs(fields) do
    if record[field] then list(field, record[field], name, lifetime) end
  end
end
`

function script(body: string): Script {
  return { text: `${shared}\n${body}` }
}

export const get: Script = script(`return redis.call("HGETALL", keyOf(ARGV[1]))`)

export const take: Script = script(`
local record = redis.call("HGETALL", keyOf(ARGV[1]))
drop(ARGV[1])
return record`)

/** Names with a kind are between `kind:` and `kind;`, the next character. */
export const find: Script = script(`
local field, value, kind, limit, after = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4]), ARGV[5]
local from = after and ("(" .. kind .. ":" .. after) or ("[" .. kind .. ":")
local found = {}
while #found < limit do
  local names = redis.call("ZRANGEBYLEX", indexOf(field, value), from, "(" .. kind .. ";", "LIMIT", 0, limit - #found)
  if #names == 0 then break end
  for _, name in ipairs(names) do
    if isListed(field, value, name) then found[#found + 1] = {name, redis.call("HGETALL", keyOf(name))} end
  end
  from = "(" .. names[#names]
end
return found`)

/** The server looks at about as many keys as the limit says, of any kind. */
export const list: Script = script(`
local first = keyOf(ARGV[1] .. ":")
local pattern = string.gsub(first, "[*?%[%]\\\\]", "\\\\%0") .. "*"
local answer = redis.call("SCAN", ARGV[3], "MATCH", pattern, "COUNT", ARGV[2])
local found = {}
for _, key in ipairs(answer[2]) do
  found[#found + 1] = {string.sub(key, #keyOf("") + 1), redis.call("HGETALL", key)}
end
return {answer[1], found}`)

/** Checks all writes before the first one, because Redis doesn't undo what a script did. */
export const write: Script = script(`
local now, writes, owner = tonumber(ARGV[1]), cjson.decode(ARGV[2]), ARGV[3]
local changed = {}
for _, each in ipairs(writes) do
  local found = changed[each.name]
  if found == nil then found = read(each.name) or false end
  local isForeign = owner and found and found.owner ~= owner
  if each.write == "insert" then
    if isCurrent(found, now) then return 0 end
    each.record.version = "1"
    changed[each.name] = each.record
  elseif each.write == "swap" then
    if isForeign or not isCurrent(found, now) or found.version ~= each.record.version then return 0 end
    each.record.version = text(tonumber(found.version) + 1)
    changed[each.name] = each.record
  elseif not isForeign then
    changed[each.name] = false
  end
end
for name, record in pairs(changed) do
  if record then put(name, record, now) else drop(name) end
end
return 1`)

export const bump: Script = script(`
local name, limit, now = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local record = read(name)
if not isCurrent(record, now) then record = {data = "0", version = "0", expiresAt = ARGV[4], owner = ARGV[5]} end
local count = tonumber(record.data) + 1
if count > limit then return false end
record.data = text(count)
record.version = text(tonumber(record.version) + 1)
put(name, record, now)
return count`)

export const removeOwned: Script = script(`
for _, name in ipairs(redis.call("ZRANGE", indexOf("owner", ARGV[1]), 0, -1)) do
  if isListed("owner", ARGV[1], name) then drop(name) end
end
return 1`)
