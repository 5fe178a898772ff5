import { AuthError } from "../errors.js"
import type { ServiceProfile } from "../model/provider.js"
import { signClientSecret } from "../provider-kit/apple-client-secret.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { icon } from "../provider-kit/generated/icons/apple.js"

/** Claims of an ID token of Apple. */
export interface AppleProfile extends ServiceProfile {
  readonly sub: string
  readonly email: string
  readonly email_verified?: boolean | "true" | "false"
  readonly is_private_email: boolean | "true" | "false"
  /** What the user agreed to share. Apple sends it at the first sign-in only. */
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
  /** The text of the `.p8` file. @default `AUTH_APPLE_KEY` */
  readonly privateKey?: string
  /** Set from `AUTH_APPLE_KEY`. Use `privateKey` to pass the key yourself. */
  readonly apiKey?: string
}

const incomplete =
  "Apple needs a client secret. Set the options `teamId` and `keyId` and AUTH_APPLE_KEY, or set AUTH_APPLE_SECRET."

/**
 * Sign in with Apple, using OpenID Connect.
 *
 * 1. Register a Services ID at https://developer.apple.com/account/resources with the return URL
 *    `https://<your site>/auth/callback/apple` (`/api/auth/callback/apple` with Next.js). Set `AUTH_APPLE_ID` to its
 *    identifier.
 * 2. Create a key for Sign in with Apple. Set `AUTH_APPLE_KEY` to the text of the `.p8` file.
 * 3. Set the options `teamId` and `keyId`.
 *
 * A client secret is then signed whenever one is needed. To create it yourself instead, set `AUTH_APPLE_SECRET`. Apple
 * accepts a client secret for six months.
 *
 * Scope: `name email`. The user gets a name and an email, but no image.
 *
 * - The callback is a cross-site POST. It works over https only, and not through a redirect proxy.
 * - Apple sends the name at the first sign-in only. Later, the name is the email.
 * - If the user hides their email, Apple sends a relay address (`is_private_email`).
 *
 * @example
 * ```ts
 * import Apple from "@latchkey/core/providers/apple"
 * export const provider = Apple({ teamId: "TEAM123456", keyId: "KEY1234567" })
 * ```
 * @see https://developer.apple.com/documentation/sign_in_with_apple/sign_in_with_apple_rest_api
 */
const Apple: ProviderFactory<AppleProfile, AppleOptions, "apple"> = defineProvider(
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
    style: { brandColor: "#000", icon },
  }),
)

export default Apple

/** The browser delivers it unsigned, so a visitor can change it. It's only used for the display name. */
function parse(user: string): unknown {
  try {
    return JSON.parse(user)
  } catch {
    return undefined
  }
}

/** What Apple sends to the callback at the first sign-in, in the field `user`. */
export interface AppleNonConformUser {
  readonly name: { readonly firstName: string; readonly lastName: string }
  readonly email: string
}
