import { toBase64Url } from "../../crypto/digest.js"
import { AuthError, WebAuthnVerificationError } from "../../errors.js"
import type { AuthContext } from "../../model/auth.js"
import { installedLibrary } from "../../model/symbols.js"
import type { SimpleWebAuthn, WebAuthnProvider } from "../../model/webauthn-provider.js"
import { createThrottle } from "../../observability/throttle.js"
import { stateOf } from "../../primitives/state.js"
import { decodeBase64 } from "./encoding.js"
import type { Descriptor, Library, RegistrationInfo } from "./library-types.js"

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
  if (auth.rules.boundPasskeys) throw new AuthError(age === "unknown" ? unknownVersion(id) : oldVersion)
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

const throttleOf = stateOf("passkey-library", () => createThrottle({ maxListeners: 100 }))

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

/** The functions of any version. They take more options, and return more, than this names. */
interface AnyLibrary {
  generateRegistrationOptions(options: object): Promise<{ readonly user?: object }>
  generateAuthenticationOptions(options: object): Promise<object>
  verifyRegistrationResponse(
    options: object,
  ): Promise<{ readonly verified: boolean; readonly registrationInfo?: object | undefined }>
  verifyAuthenticationResponse: Library["verifyAuthenticationResponse"]
}

/**
 * Calls versions 9 to 14 of `@simplewebauthn/server` like version 14. Applications for Auth.js have version 9. The options
 * that browsers get are the same in all versions.
 */
function forAnyVersion(given: SimpleWebAuthn): Library {
  // The types of the library's options are more precise than what is passed through from the configuration.
  const library = given as unknown as AnyLibrary
  return {
    generateRegistrationOptions: async ({ excludeCredentials = [], ...options }) => {
      const generated = await library.generateRegistrationOptions(options)
      // Version 9 expects text in `userID` and returns it unchanged.
      const user = { ...generated.user, id: toBase64Url(options.userID) }
      return { ...generated, user, excludeCredentials: excludeCredentials.map(described) }
    },
    // Version 9 takes the ids of credentials as bytes, the others as base64url.
    generateAuthenticationOptions: async ({ allowCredentials, ...options }) => {
      const generated = await library.generateAuthenticationOptions(options)
      return allowCredentials === undefined
        ? generated
        : { ...generated, allowCredentials: allowCredentials.map(described) }
    },
    verifyRegistrationResponse: async (options) => {
      const { verified, registrationInfo: info } = await library.verifyRegistrationResponse(options)
      return { verified, registrationInfo: info && registrationOf(info) }
    },
    verifyAuthenticationResponse: async (options) => {
      const { id, publicKey, counter } = options.credential
      // Versions 9 and 10 read `authenticator`, the others `credential`.
      const authenticator = { credentialID: decodeBase64(id), credentialPublicKey: publicKey, counter }
      return library.verifyAuthenticationResponse({ ...options, authenticator } satisfies typeof options)
    },
  }
}

function described({ id, transports }: Descriptor): object {
  return { id, ...(transports && { transports }), type: "public-key" }
}

/** Version 11 moved three members to `credential`. The id is bytes in version 9, and base64url in the others. */
function registrationOf(info: object): RegistrationInfo {
  if ("credential" in info) return info as RegistrationInfo
  const { credentialID, credentialPublicKey, counter, ...rest } = info as OlderInfo
  const id = typeof credentialID === "string" ? credentialID : toBase64Url(credentialID)
  return { ...rest, credential: { id, publicKey: credentialPublicKey, counter } }
}

interface OlderInfo extends Omit<RegistrationInfo, "credential"> {
  readonly credentialID: Uint8Array | string
  readonly credentialPublicKey: Uint8Array
  readonly counter: number
}
