import type { Provider } from "@latchkey/nuxt/providers"
import GitHub from "@latchkey/nuxt/providers/github"
import { type H3AuthResult, type H3Event, NuxtAuth } from "@latchkey/nuxt/server"

declare const event: H3Event
declare const anyId: string
declare const list: Provider[]

// A literal must be the id of a provider, if all ids are known. A variable can have any id.
const auth = NuxtAuth({ providers: [GitHub, GitHub({ id: "work" })] })
void auth.signIn(event, "github")
void auth.signIn(event, "work", { redirect: false })
void auth.signIn(event, anyId)
void auth.signIn(event, anyId as string | undefined, { redirectTo: "/" })
void auth.signIn(event)
// @ts-expect-error no such provider
void auth.signIn(event, "gihub")
// @ts-expect-error no such provider
void auth.signIn(event, "gihub", { redirect: false })
void NuxtAuth({ providers: list }).signIn(event, "any")
void NuxtAuth({ providers: [] }).signIn(event, "any")
void NuxtAuth({ providers: [GitHub, ...list] }).signIn(event, "any")
const made = NuxtAuth(async () => ({
  providers: [GitHub],
  callbacks: { session: ({ session }) => ({ ...session, tenant: 7 }) },
}))
void made.signIn(event, "github")
// @ts-expect-error no such provider
void made.signIn(event, "gihub")
export const annotated: H3AuthResult = auth
