// An application process: an HTTP server with the routes of the engine, and `/me`, which reads the session.
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http"
import { customFetch } from "@latchkey/core"
import type { Adapter } from "@latchkey/core/adapters"
import { addCookies, headersOf, sendAnswer, toRequest } from "@latchkey/core/node-http"
import { createServer } from "@latchkey/core/server"
import type { AuthConfig } from "@latchkey/core/types"
import { emailOf } from "./names.js"
import { openStores, type StoreKind } from "./stores.js"

export interface AppTask {
  /** Connection URLs. */
  readonly postgres: string
  readonly redis: string
  readonly store: StoreKind
}

const origin = "http://app.test"

process.once("message", (task: AppTask) => {
  void serve(task)
})

async function serve(task: AppTask): Promise<void> {
  const config = configOf(await openStores(task))
  const reader = createServer(config)
  const respond = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const url = new URL(req.url ?? "/", origin)
    const headers = headersOf(req.headers)
    if (url.pathname !== "/me") {
      const request = toRequest(req, url, headers)
      if (request !== undefined) sendAnswer(await reader.answer(request), res)
      return
    }
    const { session, cookies, error } = await reader.session({ headers, origin })
    addCookies(res, cookies)
    // Without the error, a database that is down would look like a visitor who isn't signed in.
    res.statusCode = error === undefined ? (session === null ? 401 : 200) : 503
    res.end(session?.user?.email)
  }
  const server = createHttpServer((req: IncomingMessage, res: ServerResponse) => {
    // Not caught: the run counts an unhandled rejection as a broken invariant.
    void respond(req, res)
  })
  server.listen(0, "127.0.0.1", () => {
    const address = server.address()
    if (typeof address === "object" && address !== null) process.send?.({ port: address.port })
  })
}

function configOf(adapter: Adapter): AuthConfig {
  return {
    secret: "0c7c24f1b6d24a30a9b5d9c2f4a8e3d17f60b1",
    url: `${origin}/auth`,
    adapter,
    // Reads renew the session, so that renewals and sign-outs meet.
    session: { strategy: "database", maxAge: 86_400, updateAge: 1 },
    rateLimit: false,
    providers: [
      {
        id: "op",
        name: "OP",
        type: "oauth",
        clientId: "app",
        clientSecret: "app",
        authorization: "https://op.test/authorize",
        token: "https://op.test/token",
        userinfo: "https://op.test/userinfo",
        profile: ({ id }: { id: string }) => ({ id, name: `User ${id}`, email: emailOf(id) }),
        [customFetch]: provider,
      },
    ],
  }
}

/** The provider is never down. The code is the id of the user, and so is the access token. */
async function provider(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init)
  if (new URL(request.url).pathname === "/userinfo")
    return Response.json({ id: request.headers.get("authorization")?.replace(/^Bearer /i, "") })
  const code = new URLSearchParams(await request.text()).get("code")
  return Response.json({ access_token: code, token_type: "bearer" })
}
