import { createManufacturer, type Manufacturer, pemOf } from "./certificate.js"
import { createCredential } from "./create.js"
import { signChallenge } from "./get.js"
import type { Authenticator, AuthenticatorOptions, StoredCredential } from "./model.js"
import { type Credential, stateFrom } from "./state.js"

/**
 * Creates a software authenticator with real keys. It answers the options of your server with the JSON that a browser
 * would send, and follows WebAuthn Level 3. To make it misbehave, add `authenticatorFaults`.
 *
 * @example
 * ```ts
 * import { createAuthenticator, visit } from "@latchkey/testing"
 * import type { AuthConfig } from "@latchkey/core/types"
 * async function newUser(config: AuthConfig) {
 *   const authenticator = createAuthenticator()
 *   const browser = await visit(config)
 *   await browser.registerPasskey(authenticator, { fields: { email: "ada@example.test" } })
 *   return await browser.session()
 * }
 * ```
 */
export function createAuthenticator(options: AuthenticatorOptions = {}): Authenticator {
  return authenticatorWith(options, [], createManufacturer())
}

function authenticatorWith(
  options: AuthenticatorOptions,
  credentials: readonly Credential[],
  manufacturer: Manufacturer,
): Authenticator {
  const state = stateFrom(options, credentials, manufacturer)
  return {
    get credentials() {
      return state.credentials.map(withoutKey)
    },
    create: (creation, { origin = state.options.origin } = {}) => createCredential(state, creation, origin),
    get: (request, ceremony = {}) => signChallenge(state, request, ceremony),
    inject: (...faults) => {
      state.faults = [...state.faults, ...faults]
      return () => {
        state.faults = state.faults.filter((fault) => !faults.includes(fault))
      }
    },
    clone: (changes = {}) => authenticatorWith({ ...options, faults: [], ...changes }, state.credentials, manufacturer),
    rootCertificate: async () => pemOf(await manufacturer.root()),
  }
}

function withoutKey(credential: Credential): StoredCredential {
  const { key: _, ...stored } = credential
  return stored
}
