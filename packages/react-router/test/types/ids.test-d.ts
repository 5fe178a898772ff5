import { type AuthArgs, ReactRouterAuth, type RouterAuth } from "@latchkey/react-router"
import type { Provider } from "@latchkey/react-router/providers"
import GitHub from "@latchkey/react-router/providers/github"

declare const args: AuthArgs
declare const anyId: string
declare const list: Provider[]

// A literal must be the id of a provider, if all ids are known. A variable can have any id.
const auth = ReactRouterAuth({ providers: [GitHub, GitHub({ id: "work" })] })
void auth.signIn(args, "github")
void auth.signIn(args, "work", { redirect: false })
void auth.signIn(args, anyId)
void auth.signIn(args, anyId as string | undefined, { redirectTo: "/" })
void auth.signIn(args)
// @ts-expect-error no such provider
void auth.signIn(args, "gihub")
// @ts-expect-error no such provider
void auth.signIn(args, "gihub", { redirect: false })
void ReactRouterAuth({ providers: list }).signIn(args, "any")
void ReactRouterAuth({ providers: [] }).signIn(args, "any")
void ReactRouterAuth({ providers: [GitHub, ...list] }).signIn(args, "any")
const made = ReactRouterAuth(async () => ({
  providers: [GitHub],
  callbacks: { session: ({ session }) => ({ ...session, tenant: 7 }) },
}))
void made.signIn(args, "github")
// @ts-expect-error no such provider
void made.signIn(args, "gihub")
export const annotated: RouterAuth = auth
