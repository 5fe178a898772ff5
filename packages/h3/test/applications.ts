import { H3Auth, type H3AuthConfig, type H3AuthResult, type H3Event } from "@latchkey/h3"
import credentials from "@latchkey/h3/providers/credentials"
import { H3, HTTPError, readBody, toNodeHandler } from "h3"
import * as h31 from "h3-1"
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { onTestFinished } from "vitest"

export const config = {
  secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw",
  trustHost: true,
  providers: [
    credentials({
      credentials: { name: {}, password: {} },
      authorize: ({ name, password }) =>
        password === "open sesame" ? { id: String(name), name: String(name), email: `${String(name)}@app.test` } : null,
    }),
  ],
  callbacks: {
    jwt: ({ token, trigger, session }) =>
      trigger === "update" ? { ...token, name: String(session.user.name) } : token,
  },
} satisfies H3AuthConfig

type Fields = Readonly<Record<string, string>>

/** What the handlers of both applications do. */
function handlers(auth: H3AuthResult) {
  return {
    home: async (event: H3Event) => ({ name: (await auth.getSession(event))?.user?.name ?? null }),
    account: async (event: H3Event) => ({ name: (await auth.requireSession(event)).user?.name }),
    signIn: (event: H3Event, fields: Fields) => auth.signIn(event, "credentials", { redirectTo: "/", ...fields }),
    tryToSignIn: async (event: H3Event, fields: Fields) => {
      const { error } = await auth.signIn(event, "credentials", { ...fields, redirect: false })
      return { refused: error?.type ?? null }
    },
    token: (event: H3Event) => auth.csrfToken(event),
    signOut: (event: H3Event) => auth.signOut(event, { redirectTo: "/" }),
    sessions: async (event: H3Event) => String((await auth.account(event).sessions()).length),
    others: async (event: H3Event) => String(await auth.account(event).revokeOtherSessions()),
    rename: async (event: H3Event, fields: Fields) => {
      await auth.update(event, { user: { name: fields["name"] ?? "" } })
      return auth.getServerSession(event)
    },
  }
}

export function version2(given: H3AuthConfig = config): RequestListener {
  const auth = H3Auth(given)
  const { home, account, token, signIn, tryToSignIn, signOut, sessions, others, rename } = handlers(auth)
  const fieldsOf = async (event: Parameters<typeof readBody>[0]) => (await readBody<Fields>(event)) ?? {}
  const app = new H3()
    .use(auth.handler)
    .get("/", home)
    .get("/account", account)
    .get("/sessions", sessions)
    .post("/others", others)
    .get("/token", token)
    .post("/sign-in", async (event) => signIn(event, await fieldsOf(event)))
    .post("/try", async (event) => tryToSignIn(event, await fieldsOf(event)))
    .post("/sign-out", signOut)
    .post("/rename", async (event) => {
      const session = await rename(event, await fieldsOf(event))
      event.res.headers.set("cache-control", "public, max-age=60")
      return session
    })
    .post("/failing", async (event) => {
      await rename(event, { name: "grace" })
      throw new HTTPError({ status: 410 })
    })
  return toNodeHandler(app)
}

export function version1(given: H3AuthConfig = config): RequestListener {
  const auth = H3Auth(given)
  const { home, account, token, signIn, tryToSignIn, signOut, sessions, others, rename } = handlers(auth)
  const fieldsOf = async (event: h31.H3Event) => (await h31.readBody<Fields | undefined>(event)) ?? {}
  const router = h31
    .createRouter()
    .get("/", h31.eventHandler(home))
    .get("/account", h31.eventHandler(account))
    .get("/sessions", h31.eventHandler(sessions))
    .post("/others", h31.eventHandler(others))
    .get("/token", h31.eventHandler(token))
    .post(
      "/sign-in",
      h31.eventHandler(async (event) => signIn(event, await fieldsOf(event))),
    )
    .post(
      "/try",
      h31.eventHandler(async (event) => tryToSignIn(event, await fieldsOf(event))),
    )
    .post("/sign-out", h31.eventHandler(signOut))
    .post(
      "/rename",
      h31.eventHandler(async (event) => {
        const session = await rename(event, await fieldsOf(event))
        h31.setResponseHeader(event, "cache-control", "public, max-age=60")
        return session
      }),
    )
    .post(
      "/failing",
      h31.eventHandler(async (event) => {
        await rename(event, { name: "grace" })
        throw h31.createError({ statusCode: 410 })
      }),
    )
  return h31.toNodeListener(h31.createApp().use(auth.handler).use(router))
}

/** Starts a server for this test. @returns its origin */
export async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
