import { type Auth, createAuth, type ExpressRequest, type Session } from "@latchkey/express"
import type { Provider } from "@latchkey/express/providers"
import GitHub from "@latchkey/express/providers/github"
import type { ServerResponse } from "node:http"

declare const req: ExpressRequest
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
export const annotated: Auth<Session> = auth
