import { AuthError } from "@latchkey/core/errors"
import type { createServer } from "@latchkey/core/server"

type Load = () => Promise<{ readonly createServer: typeof createServer }>

let registered: Load | undefined

/** What `@latchkey/next/edge` does. */
export function registerEngine(load: Load): void {
  registered = load
}

/**
 * On the edge runtime bundlers put everything that is imported, be it on first use, into one file. Middleware would carry
 * the whole engine with it, which only route handlers and server actions need: those import it themselves.
 *
 * @throws AuthError when nobody has
 */
export function loadEngine(): ReturnType<Load> {
  if (registered !== undefined) return registered()
  throw new AuthError(
    'The edge runtime has only what reads sessions: for route handlers and server actions there, add `import "@latchkey/next/edge"` to their file, before the import of your `auth`',
  )
}
