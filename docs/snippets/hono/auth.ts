import { createAuth } from "@latchkey/hono"
import GitHub from "@latchkey/hono/providers/github"

export const auth = createAuth({ providers: [GitHub] })
