import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import type { FullOpenIdClaims } from "../provider-kit/openid-claims.js"

/** Claims of an ID token of Keycloak. */
export interface KeycloakProfile extends FullOpenIdClaims {}

/**
 * Sign-in with Keycloak, by OpenID Connect.
 *
 * Set-up: register an application at Keycloak with the callback URL `https://<your site>/auth/callback/keycloak`
 * (`/api/auth/…` under Next.js), and set `AUTH_KEYCLOAK_ID`, `AUTH_KEYCLOAK_SECRET` and `AUTH_KEYCLOAK_ISSUER`.
 * The issuer is the realm URL, such as `https://keycloak.example.com/realms/<realm>`.
 * Scope: `openid profile email`. The profile is made of the standard claims.
 *
 * - The issuer includes the realm; servers before version 17 have an extra /auth in the path.
 * - Refresh tokens and federated logout (end_session_endpoint) are commonly used.
 *
 * @example
 * ```ts
 * import Keycloak from "@latchkey/core/providers/keycloak"
 * export const provider = Keycloak({ issuer: "https://keycloak.example.com/realms/acme" })
 * ```
 * @see https://www.keycloak.org/securing-apps/oidc-layers
 */
const Keycloak: ProviderFactory<KeycloakProfile> = defineProvider<KeycloakProfile>({
  id: "keycloak",
  name: "Keycloak",
  type: "oidc",
  style: { brandColor: "#428bca" },
})

export default Keycloak
