import core, { type PassageProfile } from "@latchkey/core/providers/passage"
import { type ProviderFactory, providerOf } from "../provider-factory.js"

export type * from "@latchkey/core/providers/passage"

const Passage: ProviderFactory<PassageProfile> = providerOf(core, {
  checks: ["pkce", "state"],
  authorization: { params: { scope: "openid email" } },
})

export default Passage
