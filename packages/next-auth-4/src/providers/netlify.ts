import core from "@latchkey/core/providers/netlify"
import { type LooseFactory, providerOf } from "../provider-factory.js"

export type * from "@latchkey/core/providers/netlify"

const Netlify: LooseFactory = providerOf(core, { authorization: { params: { scope: "openid" } } })

export default Netlify
