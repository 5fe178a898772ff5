import core, { type ZitadelProfile } from "@latchkey/core/providers/zitadel"
import { type ProviderFactory, providerOf } from "../provider-factory.js"

export type * from "@latchkey/core/providers/zitadel"

const Zitadel: ProviderFactory<ZitadelProfile> = providerOf(core, {
  checks: ["pkce", "state"],
  authorization: { params: { scope: "openid email profile" } },
})

export default Zitadel
