import { type Auth, createAuth, type Session } from "@latchkey/node"
import type { Provider } from "@latchkey/node/providers"
import GitHub from "@latchkey/node/providers/github"
import type { IncomingMessage, ServerResponse } from "node:http"

declare const req: IncomingMessage
declare const res: ServerResponse
declare const anyId: string
declare const list: Provider[]

// A literal must be the id of a provider, if all ids are known. A variable can have any id.
const auth = createAuth({ providers: [GitHub, GitHub({ id: "work" })] })
void auth.signIn(req, res, "github")
void auth.signIn(req, res, "work", { redirect: false })
void auth.signIn(req, res, anyId)
void auth.signIn(req, res, anyId, { redirectTo: "/" })
void auth.signIn(req, res)
// @ts-expect-error no such provider
void auth.signIn(req, res, "gihub")
// @ts-expect-error no such provider
void auth.signIn(req, res, "gihub", { redirect: false })
void createAuth({ providers: list }).signIn(req, res, "any")
void createAuth({ providers: [] }).signIn(req, res, "any")
void createAuth({ providers: [GitHub, ...list] }).signIn(req, res, "any")
const made = createAuth(async () => ({
  providers: [GitHub],
  callbacks: { session: ({ session }) => ({ ...session, tenant: 7 }) },
}))
void made.signIn(req, res, "github")
// @ts-expect-error no such provider
void made.signIn(req, res, "gihub")
export const annotated: Auth<Session> = auth
