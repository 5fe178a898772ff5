import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { icon } from "../provider-kit/generated/icons/epicgames.js"

/** The profile that Epic Games returns. */
export interface EpicGamesProfile extends ServiceProfile {
  readonly sub: string
  readonly preferred_username?: string | null
}

export interface EpicGamesOptions {
  /** Sent in the token request, for products that require it. */
  readonly deploymentId?: string
}

/**
 * Sign in with Epic Games, using OpenID Connect.
 *
 * 1. Register an application at https://dev.epicgames.com/portal with the callback URL
 *    `https://<your site>/auth/callback/epicgames` (`/api/auth/callback/epicgames` with Next.js).
 * 2. Set `AUTH_EPICGAMES_ID` and `AUTH_EPICGAMES_SECRET`.
 *
 * Scope: `openid basic_profile`. The user gets a name, but no email and no image.
 *
 * - Some products need the option `deploymentId`.
 *
 * @example
 * ```ts
 * import EpicGames from "@latchkey/core/providers/epicgames"
 * export const provider = EpicGames()
 * ```
 * @see https://dev.epicgames.com/docs/web-api-ref/authentication
 */
const EpicGames: ProviderFactory<EpicGamesProfile, EpicGamesOptions, "epicgames"> = defineProvider(
  ({ deploymentId }) => ({
    id: "epicgames",
    name: "Epic Games",
    type: "oidc",
    issuer: "https://api.epicgames.dev/epic/oauth/v2",
    authorization: { params: { scope: "openid basic_profile" } },
    token: { body: () => ({ deployment_id: deploymentId }) },
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_basic" },
    idToken: false,
    profile: ({ sub, preferred_username }) => ({
      id: sub,
      name: preferred_username ?? null,
      email: null,
      image: null,
    }),
    style: { brandColor: "#313131", icon },
  }),
)

export default EpicGames
