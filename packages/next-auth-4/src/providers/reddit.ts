import core from "@latchkey/core/providers/reddit"
import { type LooseFactory, providerOf } from "../provider-factory.js"

export type * from "@latchkey/core/providers/reddit"

const Reddit: LooseFactory = providerOf(core, { checks: ["state"] })

export default Reddit
