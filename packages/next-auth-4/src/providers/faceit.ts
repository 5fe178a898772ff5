import core from "@latchkey/core/providers/faceit"
import { type LooseFactory, providerOf } from "../provider-factory.js"

export type * from "@latchkey/core/providers/faceit"

const FACEIT: LooseFactory = providerOf(core, { authorization: { params: { scope: "openid" } } })

export default FACEIT
