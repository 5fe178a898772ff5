import assert from "node:assert/strict"
import { betterAuth } from "better-auth"
import { memoryAdapter } from "better-auth/adapters/memory"
import { getMigrations } from "better-auth/db/migration"
import { genericOAuth } from "better-auth/plugins/generic-oauth"
import { get, headersOf, Jar, postJson } from "../browser.mjs"
import { ada, basePath, origin, secret } from "../fixtures.mjs"

/*
 * better-auth keeps sessions in a database and has a different interface, so only some scenarios have a counterpart. Its
 * cookie cache (a signed copy of the session, valid for five minutes by default) is the closest to a sealed session.
 */
const password = "analytical"
const path = `${basePath}/get-session`

const emptyTables = () => ({ user: [], session: [], account: [], verification: [] })

function instance({ database = memoryAdapter(emptyTables()), cache = false, plugins = [], quiet = false } = {}) {
  return betterAuth({
    baseURL: origin,
    basePath,
    secret,
    database,
    plugins,
    // No hashing, as in `authorize` of the other engines: it would take the same time everywhere.
    emailAndPassword: {
      enabled: true,
      password: { hash: async (text) => text, verify: async (given) => given.hash === given.password },
    },
    session: { cookieCache: { enabled: cache, maxAge: 3600 } },
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: { level: "error", disabled: quiet },
  })
}

async function signedUp(auth) {
  const jar = new Jar()
  const body = { name: ada.name, email: ada.email, image: ada.image, password }
  const response = jar.take(await auth.handler(postJson(`${basePath}/sign-up/email`, body, "")))
  assert.equal(response.status, 200, await response.text())
  return jar
}

function checkUser(user) {
  assert.deepEqual([user.name, user.email, user.image], [ada.name, ada.email, ada.image])
}

/** `handler` takes a Request, like a session read over HTTP. */
async function readTask(options) {
  const auth = instance(options)
  const { header } = await signedUp(auth)
  return {
    async check() {
      const response = await auth.handler(get(path, header))
      checkUser((await response.json()).user)
      assert.equal(
        await (await auth.handler(get(path, header.replaceAll(/session_token=./g, "session_token=!")))).json(),
        null,
      )
    },
    input: () => get(path, header),
    run: auth.handler,
    accept: (response) => response.status === 200,
  }
}

async function anonymousTask() {
  const auth = instance({ cache: true })
  return {
    check: async () => assert.equal(await (await auth.handler(get(path))).json(), null),
    input: () => get(path),
    run: auth.handler,
    accept: (response) => response.status === 200,
  }
}

/** `api.getSession` needs no Request or Response. */
async function getSessionTask(options) {
  const auth = instance(options)
  const { header } = await signedUp(auth)
  return {
    check: async () => checkUser((await auth.api.getSession({ headers: headersOf(header) })).user),
    input: () => headersOf(header),
    run: (headers) => auth.api.getSession({ headers }),
    accept: (session) => session.user.email === ada.email,
  }
}

async function getAnonymousSessionTask() {
  const auth = instance({ cache: true })
  return {
    check: async () => assert.equal(await auth.api.getSession({ headers: headersOf("") }), null),
    input: () => headersOf(""),
    run: (headers) => auth.api.getSession({ headers }),
    accept: (session) => session === null,
  }
}

async function postgresTask({ pool }) {
  if (pool === undefined) return undefined
  const database = await pool("better_auth")
  const { runMigrations } = await getMigrations(instance({ database, quiet: true }).options)
  await runMigrations()
  return { ...(await readTask({ database })), end: () => database.end() }
}

async function passwordTask() {
  const tables = emptyTables()
  const auth = instance({ database: memoryAdapter(tables) })
  await signedUp(auth)
  const make = () => postJson(`${basePath}/sign-in/email`, { email: ada.email, password }, "")
  return {
    async check() {
      const jar = new Jar()
      jar.take(await auth.handler(make()))
      checkUser((await (await auth.handler(get(path, jar.header))).json()).user)
    },
    input: make,
    run: (request) => {
      // The memory adapter searches linearly. Without this, each sign-in would be slower than the one before.
      tables.session.length = 0
      return auth.handler(request)
    },
    accept: (response) => response.status === 200,
  }
}

async function oidcTask({ provider }) {
  globalThis.fetch = provider.fetch
  const tables = emptyTables()
  const { issuer, client } = provider
  const discoveryUrl = `${issuer}/.well-known/openid-configuration`
  const op = {
    providerId: "op",
    discoveryUrl,
    clientId: client.id,
    clientSecret: client.secret,
    pkce: true,
    scopes: ["openid", "email"],
  }
  const auth = instance({ database: memoryAdapter(tables), plugins: [genericOAuth({ config: [op] })] })
  const flow = async () => {
    tables.session.length = 0
    const jar = provider.apart(() => new Jar())
    const asked = provider.apart(() =>
      postJson(`${basePath}/sign-in/social`, { provider: "op", callbackURL: `${origin}/home` }, ""),
    )
    const sent = jar.take(await auth.handler(asked))
    const { url } = await sent.json()
    const back = provider.apart(() => get(provider.authorize(url).slice(origin.length), jar.header))
    const response = await auth.handler(back)
    provider.apart(() => jar.take(response))
    return { response, jar }
  }
  return {
    async check() {
      const { response, jar } = await flow()
      assert.equal(response.headers.get("location"), `${origin}/home`)
      checkUser((await (await auth.handler(get(path, jar.header))).json()).user)
    },
    input: () => undefined,
    run: flow,
    accept: ({ response }) => response.status === 302,
    aside: provider.aside,
  }
}

/** The counterparts of scenarios, each with a note for the report. */
export const betterAuthTasks = {
  "session-read": { task: () => readTask({ cache: true }), note: "cookie cache on" },
  "anonymous-read": { task: anonymousTask, note: "cookie cache on" },
  "database-memory": { task: () => readTask({ cache: false }), note: "its own memory adapter" },
  "database-postgres": { task: postgresTask, note: "its own Kysely adapter" },
  "credentials-sign-in": { task: passwordTask, note: "stores a session in memory" },
  "oidc-flow": { task: oidcTask, note: "user and session in memory" },
  "get-session": { task: () => getSessionTask({ cache: true }), note: "api.getSession, cookie cache on" },
  "get-session-anonymous": { task: getAnonymousSessionTask, note: "api.getSession" },
}

export const bundles = {
  engine: `export { betterAuth } from "better-auth"`,
}
