import core from "@latchkey/core/providers/identity-server4"
import { type LooseFactory, providerOf } from "../provider-factory.js"

export type * from "@latchkey/core/providers/identity-server4"

const IdentityServer4: LooseFactory = providerOf(core, {
  checks: ["pkce", "state"],
  authorization: { params: { scope: "openid profile email" } },
})

export default IdentityServer4
