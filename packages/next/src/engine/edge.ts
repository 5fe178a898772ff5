import { AuthError } from "@latchkey/core/errors"
import type { createActions } from "../actions.js"

type Load = () => Promise<{ readonly createActions: typeof createActions }>

let registered: Load | undefined

export function registerEngine(load: Load): void {
  registered = load
}

/**
 * Edge bundles include dynamic imports, so an `import()` here would add the whole engine to every middleware. Edge route
 * handlers and Server Actions, which do need it, register it with `import "@latchkey/next/edge"`.
 *
 * @throws AuthError if no file registered the engine
 */
export function loadEngine(): ReturnType<Load> {
  if (registered !== undefined) return registered()
  throw new AuthError(
    'The sign-in code isn\'t loaded on the edge runtime. Add `import "@latchkey/next/edge"` to this Route Handler or Server Action file, above the import of your `auth`.',
  )
}
