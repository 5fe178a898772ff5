import type { RawProfile } from "../model/provider.js"
import { urlBelow } from "../provider-kit/issuer-url.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** The signed-in person, as known to WorkOS. */
export interface WorkOSProfile extends RawProfile {
  readonly id: string
  readonly first_name: string
  readonly last_name: string
  readonly email: string
  readonly raw_attributes: { readonly picture?: string | null }
}

export interface WorkOSOptions {
  /** Which connection people sign in with. `organization` or `provider` can be given at sign-in instead. */
  readonly connection?: string
}

/**
 * Sign-in with WorkOS, by OAuth 2.
 *
 * Set-up: register an application at WorkOS with the callback URL `https://<your site>/auth/callback/workos`
 * (`/api/auth/…` under Next.js), and set `AUTH_WORKOS_ID` and `AUTH_WORKOS_SECRET`.
 * Scope: `openid profile email`. The profile gives the name, the e-mail address and a picture.
 *
 * - One of connection, organization and provider has to be chosen, here or as a parameter of the sign-in.
 *
 * @example
 * ```ts
 * import WorkOS from "@latchkey/core/providers/workos"
 * export const provider = WorkOS({ connection: "conn_123" })
 * ```
 * @see https://workos.com/docs/reference/sso
 */
const WorkOS: ProviderFactory<WorkOSProfile, WorkOSOptions> = defineProvider<WorkOSProfile, WorkOSOptions>(
  ({ connection = "", issuer = "https://api.workos.com/" }) => ({
    id: "workos",
    name: "WorkOS",
    type: "oauth",
    authorization: { url: urlBelow(issuer, "/sso/authorize"), params: { connection, scope: "openid profile email" } },
    token: urlBelow(issuer, "/sso/token"),
    userinfo: urlBelow(issuer, "/sso/profile"),
    client: { token_endpoint_auth_method: "client_secret_post" },
    profile: ({ id, first_name, last_name, email, raw_attributes }) => ({
      id,
      name: `${first_name} ${last_name}`,
      email,
      image: raw_attributes.picture ?? null,
    }),
    style: { brandColor: "#6363f1" },
  }),
)

export default WorkOS
