import { AuthError } from "../../errors.js"
import type { SimpleWebAuthn } from "../../model/webauthn-provider.js"

type Load = () => Promise<SimpleWebAuthn>

let registered: Load | undefined

export function registerPasskeyLibrary(load: Load): void {
  registered = load
}

/**
 * Edge bundles of Next.js include dynamic imports, so an `import()` here would add 80 kB to every middleware. With webpack,
 * the build would even fail, because the library can evaluate code. Files that do need it register it.
 *
 * @throws AuthError if no file registered the library
 */
export function loadPasskeyLibrary(): Promise<SimpleWebAuthn> {
  if (registered !== undefined) return registered()
  throw new AuthError(
    'The passkey library isn\'t loaded on the edge runtime. Add `import "@latchkey/core/edge/webauthn"` (with Next.js `import "@latchkey/next/edge/webauthn"`) to the file of the auth routes, above the import of your `auth`.',
  )
}
