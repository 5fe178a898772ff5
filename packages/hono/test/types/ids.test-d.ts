import { type Auth, createAuth, type Session } from "@latchkey/hono"
import type { Provider } from "@latchkey/hono/providers"
import GitHub from "@latchkey/hono/providers/github"
import type { Context } from "hono"

declare const c: Context
declare const anyId: string
declare const list: Provider[]

// A literal must be the id of a provider, if all ids are known. A variable can have any id.
const auth = createAuth({ providers: [GitHub, GitHub({ id: "work" })] })
void auth.signIn(c, "github")
void auth.signIn(c, "work", { redirect: false })
void auth.signIn(c, anyId)
void auth.signIn(c, anyId as string | undefined, { redirectTo: "/" })
void auth.signIn(c)
// @ts-expect-error no such provider
void auth.signIn(c, "gihub")
// @ts-expect-error no such provider
void auth.signIn(c, "gihub", { redirect: false })
void createAuth({ providers: list }).signIn(c, "any")
void createAuth({ providers: [] }).signIn(c, "any")
void createAuth({ providers: [GitHub, ...list] }).signIn(c, "any")
const made = createAuth(async () => ({
  providers: [GitHub],
  callbacks: { session: ({ session }) => ({ ...session, tenant: 7 }) },
}))
void made.signIn(c, "github")
// @ts-expect-error no such provider
void made.signIn(c, "gihub")
export const annotated: Auth<Session> = auth
