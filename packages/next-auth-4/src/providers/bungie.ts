import core, { type BungieOptions } from "@latchkey/core/providers/bungie"
import { type LooseFactory, providerOf } from "../provider-factory.js"

export type * from "@latchkey/core/providers/bungie"

const Bungie: LooseFactory<Partial<BungieOptions>> = providerOf(core, {
  authorization: { params: { scope: "openid" } },
})

export default Bungie
