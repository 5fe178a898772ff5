// Plays the main journeys in memory, and prints their figures as JSON. Run by tools/commands/journeys.mjs.
import { walked } from "./count.mjs"

/** A package of this repository, or a dependency of one. @param {string} name */
const load = (name) => import(name)
const { Auth, customFetch } = await load("@latchkey/core")
const { createServer } = await load("@latchkey/core/server")
const { memoryAdapter } = await load("@latchkey/adapter-kit/memory")
const { default: NextAuth } = await load("@latchkey/next")
const { createAuth } = await load("@latchkey/hono")

const origin = "http://localhost:3000"
const base = `${origin}/auth`

/** @type {{ name: string, files: number, calls: number, moves: number, visited: [string, number][] }[]} */
const journeys = []

/** @template T @param {string} name @param {() => T | Promise<T>} work @returns {Promise<T>} */
async function journey(name, work) {
  const { result, walk } = await walked(work)
  const visited = [...walk.calls].toSorted(([, a], [, b]) => b - a)
  const calls = visited.reduce((sum, [, count]) => sum + count, 0)
  journeys.push({ name, files: visited.length, calls, moves: walk.path.length, visited })
  return result
}

/** A browser that keeps cookies. */
class Browser {
  /** @type {Map<string, string>} */
  jar = new Map()

  get cookie() {
    return [...this.jar].map(([name, value]) => `${name}=${value}`).join("; ")
  }

  /** @param {string} path */
  get(path) {
    return new Request(new URL(path, base), { headers: { cookie: this.cookie, accept: "text/html" } })
  }

  /** @param {string} path @param {Record<string, string>} fields */
  post(path, fields) {
    return new Request(new URL(path, base), {
      method: "POST",
      headers: { cookie: this.cookie, origin, "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams(fields),
    })
  }

  /** @param {Response} response */
  keep(response) {
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ""] = cookie.split(";")
      const at = pair.indexOf("=")
      const [name, value] = [pair.slice(0, at), pair.slice(at + 1)]
      if (value === "" || /max-age=0/i.test(cookie)) this.jar.delete(name)
      else this.jar.set(name, value)
    }
    return response
  }
}

/** @type {string[]} */
const links = []

const acme = /** @type {const} */ ({
  id: "acme",
  name: "Acme",
  type: "oauth",
  clientId: "client",
  clientSecret: "secret",
  checks: ["pkce", "state"],
  authorization: "https://op.example/authorize",
  token: "https://op.example/token",
  userinfo: "https://op.example/user",
  profile: (/** @type {{ id: number, name: string, email: string }} */ { id, name, email }) => ({
    id: String(id),
    name,
    email,
  }),
  [customFetch]: async (/** @type {string | URL | Request} */ input) => {
    const isToken = String(input instanceof Request ? input.url : input).endsWith("/token")
    const tokens = { access_token: "token", token_type: "bearer", expires_in: 3600 }
    return Response.json(isToken ? tokens : { id: 7, name: "Ada", email: "ada@app.example" })
  },
})

const email = /** @type {const} */ ({
  id: "email",
  name: "Email",
  type: "email",
  from: "auth@app.example",
  maxAge: 3600,
  sendVerificationRequest: async (/** @type {{ url: string }} */ { url }) => void links.push(url),
})

const shared = { secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fG", trustHost: true, basePath: "/auth" }

/** @param {"cookies" | "database"} kind */
async function play(kind) {
  const adapter = kind === "database" ? memoryAdapter() : undefined
  const config = {
    ...shared,
    ...(adapter && { adapter }),
    providers: adapter ? [acme, email] : [acme],
    logger: { error: (/** @type {Error} */ error) => fail(error.message), warn() {}, debug() {} },
  }
  const send = (/** @type {Request} */ request) => Auth(request, config)
  /** @param {Browser} browser @returns {Promise<string>} */
  const csrf = async (browser) => {
    /** @type {Response} */
    const response = browser.keep(await send(browser.get("/auth/csrf")))
    return /** @type {{ csrfToken: string }} */ (await response.json()).csrfToken
  }
  /** @param {Browser} browser @param {typeof journey} measure */
  const signIn = async (browser, measure) => {
    const csrfToken = await csrf(browser)
    const start = () => send(browser.post("/auth/signin/acme", { csrfToken, callbackUrl: "/" }))
    const started = browser.keep(await measure(`OAuth start, ${kind}`, start))
    const state = new URL(started.headers.get("location") ?? "").searchParams.get("state") ?? ""
    const callback = () => send(browser.get(`/auth/callback/acme?code=code&state=${encodeURIComponent(state)}`))
    const { status } = browser.keep(await measure(`OAuth callback, ${kind}`, callback))
    if (status !== 302) fail(`The callback answered ${status}`)
  }
  // What is loaded and compiled at the first request isn't counted.
  await signIn(new Browser(), (_, work) => Promise.resolve(work()))
  const browser = new Browser()
  await signIn(browser, journey)
  await send(browser.get("/auth/session"))
  const session = await journey(`GET /session, ${kind}`, () => send(browser.get("/auth/session")))
  if ((await session.json())?.user?.name !== "Ada") fail("There is no session")
  const server = createServer(config)
  const visitor = () => ({ headers: new Headers({ cookie: browser.cookie }), origin })
  await server.session(visitor())
  await journey(`createServer().session(), ${kind}`, () => server.session(visitor()))
  if (adapter === undefined) await readInFrameworks(browser)
  else await openLink(send, csrf)
}

/** @param {(request: Request) => Promise<Response>} send @param {(browser: Browser) => Promise<string>} csrf */
async function openLink(send, csrf) {
  const browser = new Browser()
  const form = { csrfToken: await csrf(browser), email: "bob@app.example", callbackUrl: "/" }
  browser.keep(await journey("email start", () => send(browser.post("/auth/signin/email", form))))
  const { status } = await journey("email link opened", () => send(browser.get(links.at(-1) ?? "")))
  if (status !== 302) fail(`The email link answered ${status}`)
}

/** @param {Browser} browser who is signed in, with the session in a cookie */
async function readInFrameworks(browser) {
  const { auth } = NextAuth({ ...shared, providers: [acme] })
  const route = auth((/** @type {{ auth: unknown }} */ request) => Response.json(request.auth))
  const { Hono } = await load("hono")
  const hono = createAuth({ ...shared, providers: [acme] })
  const app = new Hono().get(
    "/",
    hono.session,
    (/** @type {{ json: (body: unknown) => Response, var: { session: unknown } }} */ c) => c.json(c.var.session),
  )
  const { NextRequest } = await load("next/server.js")
  const inNext = () => route(new NextRequest(browser.get("/")), { params: Promise.resolve({}) })
  for (const [name, read] of /** @type {const} */ ([
    ["auth() of Next.js", inNext],
    ["session of Hono", () => app.request("/", browser.get("/"))],
  ])) {
    await read()
    const response = await journey(name, read)
    if ((await response?.json())?.user?.name !== "Ada") fail(`${name} found no session`)
  }
}

/** @param {string} problem @returns {never} */
function fail(problem) {
  throw new Error(`A journey failed: ${problem}`)
}

await play("cookies")
await play("database")
console.log(JSON.stringify(journeys))
