import { type Auth, createAuth } from "@latchkey/node/fetch"
import { type Auth as LambdaAuth, createAuth as createLambdaAuth } from "@latchkey/node/lambda"
import type { Session } from "@latchkey/node"
import GitHub from "@latchkey/node/providers/github"

declare const request: Request
declare const anyId: string

// A literal must be the id of a provider, if all ids are known. A variable can have any id.
const auth = createAuth({ providers: [GitHub] })
const lambda = createLambdaAuth(() => ({ providers: [GitHub] }))
for (const { signIn } of [auth, lambda]) {
  void signIn(request, "github")
  void signIn(request, anyId, { redirect: false })
  void signIn(request)
  // @ts-expect-error no such provider
  void signIn(request, "gihub")
  // @ts-expect-error no such provider
  void signIn(request, "gihub", { redirect: false })
}
export const annotated: [Auth<Session>, LambdaAuth<Session>] = [auth, lambda]
