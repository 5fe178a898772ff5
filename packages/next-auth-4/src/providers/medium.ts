import core from "@latchkey/core/providers/medium"
import { type LooseFactory, providerOf } from "../provider-factory.js"

export type * from "@latchkey/core/providers/medium"

const Medium: LooseFactory = providerOf(core)

export default Medium
