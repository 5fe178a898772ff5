import core, { type AuthentikProfile } from "@latchkey/core/providers/authentik"
import { type ProviderFactory, providerOf } from "../provider-factory.js"

export type * from "@latchkey/core/providers/authentik"

const Authentik: ProviderFactory<AuthentikProfile> = providerOf(core, {
  checks: ["pkce", "state"],
  authorization: { params: { scope: "openid email profile" } },
})

export default Authentik
