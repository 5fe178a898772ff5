import core from "@latchkey/core/providers/osso"
import { type LooseFactory, providerOf } from "../provider-factory.js"

export type * from "@latchkey/core/providers/osso"

const Osso: LooseFactory = providerOf(core, { authorization: { params: { scope: "openid" } } })

export default Osso
