import core, { type KeycloakProfile } from "@latchkey/core/providers/keycloak"
import { type ProviderFactory, providerOf } from "../provider-factory.js"

export type * from "@latchkey/core/providers/keycloak"

const Keycloak: ProviderFactory<KeycloakProfile> = providerOf(core, {
  checks: ["pkce", "state"],
  authorization: { params: { scope: "openid email profile" } },
})

export default Keycloak
