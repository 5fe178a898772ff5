import core, { type DuendeISUser } from "@latchkey/core/providers/duende-identity-server6"
import { type ProviderFactory, providerOf } from "../provider-factory.js"

export type * from "@latchkey/core/providers/duende-identity-server6"

const DuendeIdentityServer6: ProviderFactory<DuendeISUser> = providerOf(core, {
  id: "duende-identityserver6",
  checks: ["pkce", "state"],
  authorization: { params: { scope: "openid profile email" } },
})

export default DuendeIdentityServer6
