import core from "@latchkey/core/providers/box"
import { type LooseFactory, providerOf } from "../provider-factory.js"

export type * from "@latchkey/core/providers/box"

const Box: LooseFactory = providerOf(core, { authorization: { params: { scope: "openid" } } })

export default Box
