import formbody from "@fastify/formbody"
import { requireSession } from "@latchkey/fastify"
import serveStatic from "@fastify/static"
import Fastify from "fastify"
import { fileURLToPath } from "node:url"
import { addAuth } from "./auth.ts"
import { accountPage, homePage, signInPage } from "./pages.ts"

const app = Fastify({ trustProxy: "loopback" }) // a reverse proxy on the same machine
await addAuth(app)
await app.register(formbody)
await app.register(serveStatic, { root: fileURLToPath(new URL("../public", import.meta.url)) })

app.get("/", async (request, reply) => reply.type("text/html").send(homePage(await request.getSession())))

app.get("/account", { preHandler: requireSession }, async (request, reply) =>
  reply.type("text/html").send(accountPage(request.authSession)),
)

app.post<Form<"name">>("/account", { preHandler: requireSession }, async ({ body }, reply) => {
  await reply.update({ user: { name: body?.name ?? "" } })
  return reply.redirect("/account", 303)
})

app.get("/api/account", { preHandler: requireSession }, async ({ authSession: { user } }) => {
  return { email: user.email, name: user.name }
})

app.get("/api/csrf-token", async (_request, reply) => ({ csrfToken: await reply.csrfToken() }))

app.get<{ Querystring: Record<string, string | string[] | undefined> }>("/sign-in", async ({ query }, reply) =>
  reply.type("text/html").send(signInPage({ callbackUrl: text(query["callbackUrl"]), error: text(query["error"]) })),
)

app.post<Form<"email" | "password" | "callbackUrl">>("/sign-in", async ({ body }, reply) => {
  const { email, password, callbackUrl = "" } = body ?? {}
  const redirectTo = text(callbackUrl)
  const { to, error } = await reply.signIn("credentials", { email, password, redirectTo, redirect: false })
  const form = `/sign-in?${new URLSearchParams({ callbackUrl, error: error?.type ?? "" }).toString()}`
  return reply.redirect(error === undefined ? to : form, 303)
})

app.post("/sign-in/start", async (_request, reply) => reply.signIn(undefined, { redirectTo: "/account" }))

app.post("/sign-out", async (_request, reply) => reply.signOut({ redirectTo: "/" }))

/** A body is empty if the request has none. */
interface Form<Name extends string> {
  readonly Body: Partial<Record<Name, string>> | undefined
}

/** A field of a form or query, unless it's empty or repeated. */
function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined
}

const { PORT = "3000", HOST = "localhost" } = process.env
console.log(`Harbor is at ${await app.listen({ port: Number(PORT), host: HOST })}`)
