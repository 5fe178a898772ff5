import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import type { OpenIdClaims } from "../provider-kit/openid-claims.js"
import { icon } from "../provider-kit/generated/icons/keycloak.js"

/** The claims in an ID token from Keycloak. */
export interface KeycloakProfile extends OpenIdClaims {}

/**
 * Sign in with Keycloak, using OpenID Connect.
 *
 * 1. Create an OpenID Connect client in your Keycloak realm with the valid redirect URI
 *    `https://<your site>/auth/callback/keycloak` (`/api/auth/callback/keycloak` with Next.js).
 * 2. Set `AUTH_KEYCLOAK_ID` and `AUTH_KEYCLOAK_SECRET`.
 * 3. Set `AUTH_KEYCLOAK_ISSUER` to the URL of the realm, for example `https://keycloak.example.com/realms/<realm>`.
 *
 * Scope: `openid profile email`. The user gets a name, an email and an image.
 *
 * - Before Keycloak 17 the path of the issuer starts with `/auth`.
 *
 * @example
 * ```ts
 * import Keycloak from "@latchkey/core/providers/keycloak"
 * export const provider = Keycloak({ issuer: "https://keycloak.example.com/realms/acme" })
 * ```
 * @see https://www.keycloak.org/securing-apps/oidc-layers
 */
const Keycloak: ProviderFactory<KeycloakProfile, object, "keycloak"> = defineProvider({
  id: "keycloak",
  name: "Keycloak",
  type: "oidc",
  style: { brandColor: "#428bca", icon },
})

export default Keycloak
