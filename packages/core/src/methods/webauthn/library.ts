import { AuthError, WebAuthnVerificationError } from "../../errors.js"
import type { AuthContext } from "../../model/auth.js"
import { installedLibrary } from "../../model/symbols.js"
import type { SimpleWebAuthn, WebAuthnProvider } from "../../model/webauthn-provider.js"
import { createThrottle } from "../../observability/throttle.js"
import { scopedToApplication } from "../../primitives/state.js"
import type { Library } from "./library-types.js"
import { forAnyVersion } from "./versions.js"

/** @throws AuthError if the provider has no library, or under "strict" an old one */
export async function libraryOf(auth: AuthContext, { id, config }: WebAuthnProvider): Promise<Library> {
  const { simpleWebAuthn } = config
  if (simpleWebAuthn === undefined) {
    throw new AuthError(
      `The provider "${id}" has no \`simpleWebAuthn\` functions. Create it with the function of providers/passkey or providers/webauthn`,
    )
  }
  const library = forAnyVersion(simpleWebAuthn)
  const age = await ageOf(simpleWebAuthn)
  if (age === "current") return library
  if (auth.mode === "strict") throw new AuthError(age === "unknown" ? unknownVersion(id) : oldVersion)
  if (age === "old") warnOnce(auth)
  const asksForAttestation = (config.registrationOptions?.attestationType ?? "none") !== "none"
  return asksForAttestation ? withoutAttestation(library) : library
}

const update = "Run `npm install @simplewebauthn/server@14`"

const oldVersion = `The installed @simplewebauthn/server is older than version 14. ${update}`

function unknownVersion(id: string): string {
  const fix = 'Pass the whole module: `import * as simpleWebAuthn from "@simplewebauthn/server"`'
  return `The \`simpleWebAuthn\` functions of the provider "${id}" aren't those of version 14. ${fix}`
}

const throttleOf = scopedToApplication("passkey-library", () => createThrottle({ maxListeners: 100 }))

function warnOnce(auth: AuthContext): void {
  if (!throttleOf(auth).allows("old", auth.logSink, auth.runtime.now())) return
  auth.logger.warn("passkey-library-old", `${oldVersion}. Until then, attestation isn't trusted`)
}

/** Whether the functions are those of version 14. Functions without their module don't tell. */
async function ageOf(given: SimpleWebAuthn): Promise<"current" | "old" | "unknown"> {
  const load: unknown = Reflect.get(given, installedLibrary)
  const module: unknown = typeof load === "function" ? await load() : given
  // Version 14 added its error classes. A namespace of an older version has other services.
  if (isModuleWith(module, "SimpleWebAuthnError")) return "current"
  return isModuleWith(module, "SettingsService") ? "old" : "unknown"
}

function isModuleWith(module: unknown, name: string): boolean {
  return typeof module === "object" && module !== null && name in module
}

/**
 * Before 13.3.2, the library accepts a certificate chain that ends at a root of the attacker (GHSA-6hxq-p678-4hr2), so an
 * attestation says nothing about the authenticator.
 */
function withoutAttestation(library: Library): Library {
  return {
    ...library,
    verifyRegistrationResponse: async (options) => {
      const result = await library.verifyRegistrationResponse(options)
      if (result.registrationInfo === undefined || result.registrationInfo.fmt === "none") return result
      throw new WebAuthnVerificationError(
        `This version of @simplewebauthn/server doesn't check the attestation of an authenticator safely. ${update}`,
      )
    },
  }
}
