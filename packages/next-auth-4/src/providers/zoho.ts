import core from "@latchkey/core/providers/zoho"
import { type LooseFactory, providerOf } from "../provider-factory.js"

export type * from "@latchkey/core/providers/zoho"

const Zoho: LooseFactory = providerOf(core)

export default Zoho
