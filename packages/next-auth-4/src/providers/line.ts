import core, { type LineProfile } from "@latchkey/core/providers/line"
import { type ProviderFactory, providerOf } from "../provider-factory.js"

export type * from "@latchkey/core/providers/line"

const LINE: ProviderFactory<LineProfile> = providerOf(core, {
  checks: ["state"],
  authorization: { params: { scope: "openid profile" } },
})

export default LINE
