import type { ServiceProfile } from "../model/provider.js"
import { type ProviderFactory, defineProvider } from "../provider-kit/define.js"
import { icon } from "../provider-kit/generated/icons/workos.js"
import { urlBelow } from "../provider-kit/options.js"

/** The profile that WorkOS returns. */
export interface WorkOSProfile extends ServiceProfile {
  readonly id: string
  readonly first_name: string
  readonly last_name: string
  readonly email: string
  readonly raw_attributes: { readonly picture?: string | null }
}

export interface WorkOSOptions {
  /** The id of the connection to sign in with. */
  readonly connection?: string
}

/**
 * Sign in with WorkOS, using OAuth 2.0.
 *
 * 1. Register an application at https://dashboard.workos.com with the callback URL
 *    `https://<your site>/auth/callback/workos` (`/api/auth/callback/workos` with Next.js).
 * 2. Set `AUTH_WORKOS_ID` and `AUTH_WORKOS_SECRET`.
 * 3. Optional: set `AUTH_WORKOS_ISSUER`. The default is `https://api.workos.com/`.
 *
 * Scope: `openid profile email`. The user gets a name, an email and an image.
 *
 * - Choose the connection with the option `connection`, or pass `organization` or `provider` as an authorization
 *   parameter.
 *
 * @example
 * ```ts
 * import WorkOS from "@latchkey/core/providers/workos"
 * export const provider = WorkOS({ connection: "conn_123" })
 * ```
 * @see https://workos.com/docs/reference/sso
 */
const WorkOS: ProviderFactory<WorkOSProfile, WorkOSOptions, "workos"> = defineProvider(
  ({ connection = "", issuer = "https://api.workos.com/" }) => ({
    id: "workos",
    name: "WorkOS",
    type: "oauth",
    authorization: urlBelow(
      issuer,
      `/sso/authorize?connection=${encodeURIComponent(connection)}&scope=openid%20profile%20email`,
    ),
    token: urlBelow(issuer, "/sso/token"),
    userinfo: urlBelow(issuer, "/sso/profile"),
    client: { token_endpoint_auth_method: "client_secret_post" },
    profile: ({ id, first_name, last_name, email, raw_attributes }) => ({
      id,
      name: `${first_name} ${last_name}`,
      email,
      image: raw_attributes.picture ?? null,
    }),
    style: { brandColor: "#6363f1", icon },
  }),
)

export default WorkOS
