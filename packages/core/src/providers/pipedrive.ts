import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** The profile that Pipedrive returns. */
export interface PipedriveProfile extends ServiceProfile {
  readonly success: boolean
  readonly data: {
    readonly id: number
    readonly name: string
    readonly email: string
    readonly icon_url: string
    readonly company_domain: string
  }
}

/**
 * Sign in with Pipedrive, using OAuth 2.0.
 *
 * 1. Create an app in the Pipedrive Developer Hub with the callback URL `https://<your site>/auth/callback/pipedrive`
 *    (`/api/auth/callback/pipedrive` with Next.js).
 * 2. Set `AUTH_PIPEDRIVE_ID` and `AUTH_PIPEDRIVE_SECRET`.
 *
 * Scope: `openid profile email`. The user gets a name, an email and an image.
 *
 * - Choose the scopes when you register the app.
 *
 * @example
 * ```ts
 * import Pipedrive from "@latchkey/core/providers/pipedrive"
 * export const provider = Pipedrive()
 * ```
 * @see https://pipedrive.readme.io/docs/marketplace-oauth-authorization
 */
const Pipedrive: ProviderFactory<PipedriveProfile, object, "pipedrive"> = defineProvider({
  id: "pipedrive",
  name: "Pipedrive",
  type: "oauth",
  authorization: "https://oauth.pipedrive.com/oauth/authorize?scope=openid%20profile%20email",
  token: "https://oauth.pipedrive.com/oauth/token",
  userinfo: "https://api.pipedrive.com/users/me",
  profile: ({ data }) => ({ id: String(data.id), name: data.name, email: data.email, image: data.icon_url }),
})

export default Pipedrive
