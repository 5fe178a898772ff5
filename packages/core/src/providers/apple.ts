import { AuthError } from "../errors.js"
import type { RawProfile } from "../model/provider.js"
import { signClientSecret } from "../provider-kit/apple-client-secret.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** Claims of an ID token of Apple. */
export interface AppleProfile extends RawProfile {
  readonly sub: string
  readonly email?: string
  readonly email_verified?: boolean | "true" | "false"
  readonly is_private_email?: boolean | "true" | "false"
  /** What the person agreed to tell, at the first sign-in. */
  readonly user?: {
    readonly name?: { readonly firstName?: string; readonly lastName?: string }
    readonly email?: string
  }
}

export interface AppleOptions {
  /** Required. The ten characters at the top right of your developer account. */
  readonly teamId?: string
  /** Required. The ten characters of the key. */
  readonly keyId?: string
  /** The text of the `.p8` file. Default: `AUTH_APPLE_KEY`. */
  readonly privateKey?: string
  readonly apiKey?: string
}

const incomplete =
  "Apple needs a client secret: set the options `teamId` and `keyId` and AUTH_APPLE_KEY, or a secret in AUTH_APPLE_SECRET"

/**
 * Sign-in with Apple, by OpenID Connect. The client secret, a JWT that Apple accepts for six months at most, is made
 * from the key when it is needed.
 *
 * Set-up: register a Services ID and a key for Sign in with Apple at https://developer.apple.com/account/resources
 * with the callback URL `https://<your site>/auth/callback/apple` (`/api/auth/…` under Next.js), and set
 * `AUTH_APPLE_ID` and `AUTH_APPLE_KEY` (the text of the `.p8` file) with the options `teamId` and `keyId`; or
 * `AUTH_APPLE_SECRET`, a client secret of your own making.
 * Scope: `name email`. The profile gives the name and the e-mail address, but no picture.
 *
 * - The answer is a POST from another site: it works over HTTPS only, and not through a redirect proxy.
 * - The name comes with the first sign-in only; later ones have the e-mail address in its place.
 * - The address may be a relay that Apple forwards from (`is_private_email`).
 *
 * @example
 * ```ts
 * import Apple from "@latchkey/core/providers/apple"
 * export const provider = Apple({ teamId: "TEAM123456", keyId: "KEY1234567" })
 * ```
 * @see https://developer.apple.com/documentation/sign_in_with_apple/sign_in_with_apple_rest_api
 */
const Apple: ProviderFactory<AppleProfile, AppleOptions> = defineProvider<AppleProfile, AppleOptions>(
  ({ teamId, keyId, apiKey, privateKey = apiKey }) => ({
    id: "apple",
    name: "Apple",
    type: "oidc",
    issuer: "https://appleid.apple.com",
    authorization: { params: { scope: "name email", response_mode: "form_post" } },
    checks: ["nonce", "state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    makeClientSecret: ({ clientId, now }) => {
      if (!teamId || !keyId || !privateKey) throw new AuthError(incomplete)
      return signClientSecret({ teamId, keyId, privateKey }, clientId, now)
    },
    mergeCallback: (profile, { user }) => (user === undefined ? profile : { ...profile, user: parse(user) }),
    profile: ({ sub, user, email }) => ({
      id: sub,
      name: user?.name ? [user.name.firstName, user.name.lastName].filter(Boolean).join(" ") : (email ?? null),
      email: email ?? null,
      image: null,
    }),
    style: { brandColor: "#000" },
  }),
)

export default Apple

/** From the browser, and so nobody's word: good for a name to show, and for nothing else. */
function parse(user: string): unknown {
  try {
    return JSON.parse(user)
  } catch {
    return undefined
  }
}
