import { AuthError } from "../../errors.js"
import type { SimpleWebAuthn } from "../../model/webauthn-provider.js"

/** @throws AuthError if the package isn't installed */
export async function importPasskeyLibrary(): Promise<SimpleWebAuthn> {
  let cause: unknown
  try {
    // In `try`, so that a bundler warns about a missing package instead of failing.
    const library = await import("@simplewebauthn/server")
    // Next.js bundles an empty module in the place of an optional package that isn't installed.
    if (typeof library.verifyAuthenticationResponse === "function") return library
  } catch (error) {
    cause = error
  }
  const text = "Passkeys need the package @simplewebauthn/server. Run `npm install @simplewebauthn/server@14`"
  throw new AuthError(text, { cause })
}
