import core from "@latchkey/core/providers/wordpress"
import { type LooseFactory, providerOf } from "../provider-factory.js"

export type * from "@latchkey/core/providers/wordpress"

const WordPress: LooseFactory = providerOf(core)

export default WordPress
