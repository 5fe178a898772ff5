import core, { type SlackProfile } from "@latchkey/core/providers/slack"
import { type ProviderFactory, providerOf } from "../provider-factory.js"

export type * from "@latchkey/core/providers/slack"

const Slack: ProviderFactory<SlackProfile> = providerOf(core, {
  checks: ["state"],
  authorization: { params: { scope: "openid profile email" } },
})

export default Slack
