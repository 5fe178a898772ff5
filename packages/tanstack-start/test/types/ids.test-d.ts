import { type StartAuth, TanStackStartAuth } from "@latchkey/tanstack-start"
import type { Provider } from "@latchkey/tanstack-start/providers"
import GitHub from "@latchkey/tanstack-start/providers/github"

declare const anyId: string
declare const list: Provider[]

// A literal must be the id of a provider, if all ids are known. A variable can have any id.
const auth = TanStackStartAuth({ providers: [GitHub, GitHub({ id: "work" })] })
void auth.signIn("github")
void auth.signIn("work", { redirect: false })
void auth.signIn(anyId)
void auth.signIn(anyId as string | undefined, { redirectTo: "/" })
void auth.signIn()
// @ts-expect-error no such provider
void auth.signIn("gihub")
// @ts-expect-error no such provider
void auth.signIn("gihub", { redirect: false })
void TanStackStartAuth({ providers: list }).signIn("any")
void TanStackStartAuth({ providers: [] }).signIn("any")
void TanStackStartAuth({ providers: [GitHub, ...list] }).signIn("any")
const made = TanStackStartAuth(async () => ({
  providers: [GitHub],
  callbacks: { session: ({ session }) => ({ ...session, tenant: 7 }) },
}))
void made.signIn("github")
// @ts-expect-error no such provider
void made.signIn("gihub")
export const annotated: StartAuth = auth
