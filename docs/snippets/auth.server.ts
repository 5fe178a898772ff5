/** The page about TanStack Start imports this as "@/auth.server". */
import { TanStackStartAuth } from "@latchkey/tanstack-start"
import GitHub from "@latchkey/tanstack-start/providers/github"

export const auth = TanStackStartAuth({ security: "strict", providers: [GitHub] })
