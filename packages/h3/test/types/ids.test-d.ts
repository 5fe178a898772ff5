import { H3Auth, type H3AuthResult, type H3Event } from "@latchkey/h3"
import type { Provider } from "@latchkey/h3/providers"
import GitHub from "@latchkey/h3/providers/github"

declare const event: H3Event
declare const anyId: string
declare const list: Provider[]

// A literal must be the id of a provider, if all ids are known. A variable can have any id.
const auth = H3Auth({ providers: [GitHub, GitHub({ id: "work" })] })
void auth.signIn(event, "github")
void auth.signIn(event, "work", { redirect: false })
void auth.signIn(event, anyId)
void auth.signIn(event, anyId as string | undefined, { redirectTo: "/" })
void auth.signIn(event)
// @ts-expect-error no such provider
void auth.signIn(event, "gihub")
// @ts-expect-error no such provider
void auth.signIn(event, "gihub", { redirect: false })
void H3Auth({ providers: list }).signIn(event, "any")
void H3Auth({ providers: [] }).signIn(event, "any")
void H3Auth({ providers: [GitHub, ...list] }).signIn(event, "any")
const made = H3Auth(async () => ({
  providers: [GitHub],
  callbacks: { session: ({ session }) => ({ ...session, tenant: 7 }) },
}))
void made.signIn(event, "github")
// @ts-expect-error no such provider
void made.signIn(event, "gihub")
export const annotated: H3AuthResult = auth
