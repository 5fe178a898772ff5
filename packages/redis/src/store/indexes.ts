import { type Commands, unexpected } from "../client.js"

/**
 * Sets of members that expire. An index is written before the record that it leads to, so each record that can be read is in its
 * index. A member may lead nowhere: its record was deleted, or its write was interrupted. It's removed when it expires.
 */
export interface Indexes {
  /** Adds a member, or extends the time until it expires. `end` is in milliseconds since 1970. */
  add(key: string, member: string, end: number): Promise<void>
  /** With a limit, at most that many, those that expire last. */
  list(key: string, limit?: number): Promise<readonly string[]>
  drop(key: string, members: readonly string[]): Promise<void>
}

/** The last day of `Date`, for members that don't expire. */
export const endOfTime = 8.64e15

export function indexesIn({ run }: Commands): Indexes {
  return {
    add: async (key, member, end) => void (await run(add, key, [member, String(end), String(Date.now())])),
    list: async (key, limit = -1) => {
      const members = await run(list, key, [String(Date.now()), String(limit)])
      if (!Array.isArray(members)) throw unexpected()
      return members.map(String)
    },
    drop: async (key, members) => {
      // Lua can pass a few thousand arguments to a command.
      for (let start = 0; start < members.length; start += 1000) {
        await run(drop, key, members.slice(start, start + 1000))
      }
    },
  }
}

/** The index itself expires with its last member. Only the time until then is given to Redis, whose clock may differ. */
const add = {
  text: `
local score = redis.call("ZSCORE", KEYS[1], ARGV[1])
if not score or tonumber(score) < tonumber(ARGV[2]) then redis.call("ZADD", KEYS[1], ARGV[2], ARGV[1]) end
redis.call("ZREMRANGEBYSCORE", KEYS[1], "-inf", "(" .. ARGV[3])
local last = redis.call("ZRANGE", KEYS[1], -1, -1, "WITHSCORES")[2]
if last then redis.call("PEXPIRE", KEYS[1], string.format("%.0f", tonumber(last) - tonumber(ARGV[3]) + 1)) end
return 1`,
}

/** A negative limit is none. */
const list = { text: `return redis.call("ZREVRANGEBYSCORE", KEYS[1], "+inf", ARGV[1], "LIMIT", 0, ARGV[2])` }

const drop = { text: `return redis.call("ZREM", KEYS[1], unpack(ARGV))` }
