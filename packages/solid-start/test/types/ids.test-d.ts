import { SolidAuth, type SolidAuthResult } from "@latchkey/solid-start"
import type { Provider } from "@latchkey/solid-start/providers"
import GitHub from "@latchkey/solid-start/providers/github"

declare const anyId: string
declare const list: Provider[]

// A literal must be the id of a provider, if all ids are known. A variable can have any id.
const auth = SolidAuth({ providers: [GitHub, GitHub({ id: "work" })] })
void auth.signIn("github")
void auth.signIn("work", { redirect: false })
void auth.signIn(anyId)
void auth.signIn(anyId as string | undefined, { redirectTo: "/" })
void auth.signIn()
// @ts-expect-error no such provider
void auth.signIn("gihub")
// @ts-expect-error no such provider
void auth.signIn("gihub", { redirect: false })
void SolidAuth({ providers: list }).signIn("any")
void SolidAuth({ providers: [] }).signIn("any")
void SolidAuth({ providers: [GitHub, ...list] }).signIn("any")
const made = SolidAuth(async () => ({
  providers: [GitHub],
  callbacks: { session: ({ session }) => ({ ...session, tenant: 7 }) },
}))
void made.signIn("github")
// @ts-expect-error no such provider
void made.signIn("gihub")
export const annotated: SolidAuthResult = auth
