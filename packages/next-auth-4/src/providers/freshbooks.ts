import core from "@latchkey/core/providers/freshbooks"
import { type LooseFactory, providerOf } from "../provider-factory.js"

export type * from "@latchkey/core/providers/freshbooks"

const Freshbooks: LooseFactory = providerOf(core, { authorization: { params: { scope: "openid" } } })

export default Freshbooks
