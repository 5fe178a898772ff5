import { toBase64Url } from "../../crypto/digest.js"
import type { SimpleWebAuthn } from "../../model/webauthn-provider.js"
import { decodeBase64 } from "./encoding.js"
import type { Descriptor, Library, RegistrationInfo } from "./library-types.js"

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
export function forAnyVersion(given: SimpleWebAuthn): Library {
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
