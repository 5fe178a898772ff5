import core from "@latchkey/core/providers/mailchimp"
import { type LooseFactory, providerOf } from "../provider-factory.js"

export type * from "@latchkey/core/providers/mailchimp"

const Mailchimp: LooseFactory = providerOf(core, { authorization: { params: { scope: "openid" } } })

export default Mailchimp
