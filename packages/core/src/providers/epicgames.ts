import type { RawProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** The signed-in person, as known to Epic Games. */
export interface EpicGamesProfile extends RawProfile {
  readonly sub: string
  readonly preferred_username?: string | null
}

export interface EpicGamesOptions {
  /** Some products want it in the token request. */
  readonly deploymentId?: string
}

/**
 * Sign-in with Epic Games, by OpenID Connect.
 *
 * Set-up: register an application at Epic Games with the callback URL `https://<your site>/auth/callback/epicgames`
 * (`/api/auth/…` under Next.js), and set `AUTH_EPICGAMES_ID` and `AUTH_EPICGAMES_SECRET`.
 * Scope: `openid basic_profile`. The profile gives the name, but no e-mail address and no picture.
 *
 * - No e-mail and no picture.
 * - Some clients must add deployment_id to the token request.
 * - PKCE support is not documented for confidential clients.
 *
 * @example
 * ```ts
 * import EpicGames from "@latchkey/core/providers/epicgames"
 * export const provider = EpicGames()
 * ```
 * @see https://dev.epicgames.com/docs/web-api-ref/authentication
 */
const EpicGames: ProviderFactory<EpicGamesProfile, EpicGamesOptions> = defineProvider<
  EpicGamesProfile,
  EpicGamesOptions
>(({ deploymentId }) => ({
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
  style: { brandColor: "#313131" },
}))

export default EpicGames
