import { createAuth } from "@latchkey/node"
import GitHub from "@latchkey/node/providers/github"

export const auth = createAuth({ providers: [GitHub] })
