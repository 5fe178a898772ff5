import core, { type NaverProfile } from "@latchkey/core/providers/naver"
import { type ProviderFactory, providerOf } from "../provider-factory.js"

export type * from "@latchkey/core/providers/naver"

const Naver: ProviderFactory<NaverProfile> = providerOf(core, {
  checks: ["state"],
  authorization: { params: { scope: "openid" } },
})

export default Naver
