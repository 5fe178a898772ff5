import core from "@latchkey/core/providers/coinbase"
import { type LooseFactory, providerOf } from "../provider-factory.js"

export type * from "@latchkey/core/providers/coinbase"

const Coinbase: LooseFactory = providerOf(core)

export default Coinbase
