/** The page about React Router imports this as "~/auth.server". */
import { ReactRouterAuth } from "@latchkey/react-router"
import GitHub from "@latchkey/react-router/providers/github"

export const auth = ReactRouterAuth({ security: "strict", providers: [GitHub] })
