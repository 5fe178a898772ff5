import { AstroAuth, type AstroAuthResult, type AstroContext } from "@latchkey/astro"
import type { Provider } from "@latchkey/astro/providers"
import GitHub from "@latchkey/astro/providers/github"

declare const context: AstroContext
declare const anyId: string
declare const list: Provider[]

// A literal must be the id of a provider, if all ids are known. A variable can have any id.
const auth = AstroAuth({ providers: [GitHub, GitHub({ id: "work" })] })
void auth.signIn(context, "github")
void auth.signIn(context, "work", { redirect: false })
void auth.signIn(context, anyId)
void auth.signIn(context, anyId as string | undefined, { redirectTo: "/" })
void auth.signIn(context)
// @ts-expect-error no such provider
void auth.signIn(context, "gihub")
// @ts-expect-error no such provider
void auth.signIn(context, "gihub", { redirect: false })
void AstroAuth({ providers: list }).signIn(context, "any")
void AstroAuth({ providers: [] }).signIn(context, "any")
void AstroAuth({ providers: [GitHub, ...list] }).signIn(context, "any")
const made = AstroAuth(async () => ({
  providers: [GitHub],
  callbacks: { session: ({ session }) => ({ ...session, tenant: 7 }) },
}))
void made.signIn(context, "github")
// @ts-expect-error no such provider
void made.signIn(context, "gihub")
export const annotated: AstroAuthResult = auth
