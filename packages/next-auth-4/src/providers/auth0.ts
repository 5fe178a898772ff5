import core, { type Auth0Profile } from "@latchkey/core/providers/auth0"
import { type ProviderFactory, providerOf } from "../provider-factory.js"

export type * from "@latchkey/core/providers/auth0"

const Auth0: ProviderFactory<Auth0Profile> = providerOf(core, {
  checks: ["pkce", "state"],
  authorization: { params: { scope: "openid email profile" } },
})

export default Auth0
