import core from "@latchkey/core/providers/onelogin"
import { type LooseFactory, providerOf } from "../provider-factory.js"

export type * from "@latchkey/core/providers/onelogin"

const OneLogin: LooseFactory = providerOf(core, {
  checks: ["state"],
  authorization: { params: { scope: "openid profile email" } },
})

export default OneLogin
