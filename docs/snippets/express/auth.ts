import { createAuth, type ExpressAuthConfig } from "@latchkey/express"
import GitHub from "@latchkey/express/providers/github"

export const authConfig = { providers: [GitHub] } satisfies ExpressAuthConfig
export const auth = createAuth(authConfig)
