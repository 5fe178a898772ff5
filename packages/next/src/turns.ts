import type { JWT } from "@latchkey/core/types"
import type { NextAuthCallbacks } from "./config.js"

type JwtCallback = NonNullable<NextAuthCallbacks["jwt"]>

/** What became of tokens, by their `jti`, and what is at work on them. */
interface Memory {
  readonly followed: Map<string, JWT>
  readonly lines: Map<string, Promise<unknown>>
}

/** Some 4 MB of claims of the usual size. */
const capacity = 1000

/** A callback that hangs must not keep everybody waiting for ever. Milliseconds. */
const patience = 10_000

const place = Symbol.for("@latchkey/next/turns")

/**
 * The `jwt` callback, one after the other for the same token and going on from what the one before returned. Bundlers of
 * Next.js make a copy of this program for pages, another for handlers and one more for the middleware, and in each the
 * engine stands beside the reader: what one of them did with a refresh token, the others must know (complaint 151).
 */
export function inTurn(callback: JwtCallback): JwtCallback {
  return async (params) => {
    const { jti: id } = params.token
    // A token that is being made follows nothing.
    if (typeof id !== "string" || params.user !== undefined) return callback(params)
    const { followed, lines } = memory()
    const mine = free(lines.get(id)).then(async () => {
      const token = followed.get(id) ?? params.token
      const given = await callback({ ...params, token: { ...token } })
      if (given !== null && JSON.stringify(given) !== JSON.stringify(params.token)) keep(followed, id, given)
      return given
    })
    const settled = mine.catch(() => undefined)
    lines.set(id, settled)
    try {
      return await mine
    } finally {
      if (lines.get(id) === settled) lines.delete(id)
    }
  }
}

function memory(): Memory {
  const shared = globalThis as { [place]?: Memory }
  shared[place] ??= { followed: new Map(), lines: new Map() }
  return shared[place]
}

function keep(followed: Map<string, JWT>, id: string, claims: JWT): void {
  followed.delete(id)
  followed.set(id, claims)
  const [oldest] = followed.keys()
  if (followed.size > capacity && oldest !== undefined) followed.delete(oldest)
}

async function free(earlier: Promise<unknown> | undefined): Promise<void> {
  if (earlier === undefined) return
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, patience)
  })
  await Promise.race([earlier, late]).finally(() => clearTimeout(timer))
}
