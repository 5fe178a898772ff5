import core from "@latchkey/core/providers/dropbox"
import { type LooseFactory, providerOf } from "../provider-factory.js"

export type * from "@latchkey/core/providers/dropbox"

const Dropbox: LooseFactory = providerOf(core, { checks: ["state", "pkce"] })

export default Dropbox
