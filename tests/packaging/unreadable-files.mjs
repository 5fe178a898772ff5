// A server whose process has too many open files: each file that it loads later can't be read the first time.
import { registerHooks } from "node:module"
import { memoryAdapter } from "../../packages/adapter-kit/dist/memory.js"
import { Auth } from "../../packages/core/dist/index.js"
import credentials from "../../packages/core/dist/providers/credentials.js"

/** @type {Set<string>} */
const failed = new Set()
registerHooks({
  load(url, context, next) {
    if (failed.has(url)) return next(url, context)
    failed.add(url)
    throw Object.assign(new Error("EMFILE: too many open files"), { code: "EMFILE" })
  },
})

const origin = "https://app.test"
const config = {
  secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGpR5aJ0eKd",
  url: origin,
  adapter: memoryAdapter(),
  session: { strategy: "jwt" },
  logger: { error: () => {}, warn: () => {} },
  providers: [
    credentials({ credentials: { name: {} }, authorize: ({ name }) => ({ id: String(name) }) }),
    {
      id: "op",
      type: "oauth",
      clientId: "app",
      clientSecret: "secret",
      authorization: `${origin}/a`,
      token: `${origin}/t`,
      userinfo: `${origin}/u`,
    },
    { id: "mail", type: "email", name: "Email", from: "app@app.test", sendVerificationRequest: async () => {} },
  ],
}

/** @type {Map<string, string>} */
const cookies = new Map()

/** @type {(path: string, body?: Record<string, string>) => Promise<Response>} */
async function send(path, body) {
  const headers = { cookie: [...cookies].map((pair) => pair.join("=")).join("; "), accept: "text/html" }
  const form = body && { method: "POST", body: new URLSearchParams(body) }
  const response = await Auth(new Request(origin + path, { headers, ...form }), config)
  for (const line of response.headers.getSetCookie()) {
    const [name = "", value = ""] = line.split(";", 1)[0]?.split(/=(.*)/s) ?? []
    cookies.set(name, value)
  }
  return response
}

/** @type {(name: string, isRight: (response: Response) => boolean, ...request: Parameters<typeof send>) => Promise<void>} */
async function untilRight(name, isRight, ...request) {
  let attempts = 0
  while (attempts++ < 40 && !isRight(await send(...request)));
  if (attempts <= 40) console.log(name)
}

/** @type {(path: string) => (response: Response) => boolean} */
const leadsTo = (path) => (response) => response.headers.get("location")?.startsWith(origin + path) === true

const { csrfToken } = await (await send("/auth/csrf")).json()
await untilRight("page", ({ status }) => status === 200, "/auth/signin")
await untilRight("oauth", leadsTo("/a?"), "/auth/signin/op", { csrfToken })
await untilRight("email", leadsTo("/auth/verify-request"), "/auth/signin/mail", { csrfToken, email: "ada@app.test" })
await untilRight("credentials", leadsTo("/in"), "/auth/callback/credentials", {
  csrfToken,
  name: "ada",
  callbackUrl: "/in",
})
