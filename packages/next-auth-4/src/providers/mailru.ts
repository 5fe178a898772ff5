import core from "@latchkey/core/providers/mailru"
import { type LooseFactory, providerOf } from "../provider-factory.js"

export type * from "@latchkey/core/providers/mailru"

const MailRu: LooseFactory = providerOf(core)

export default MailRu
