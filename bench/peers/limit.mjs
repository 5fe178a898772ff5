import { ada, basePath, origin, secret, sessionCookie } from "../fixtures.mjs"
import {
  callbackCookie,
  csrfCookie,
  hasToken,
  csrfIn,
  customFetch,
  month,
  oidcRoutes,
  redirect,
  refuse,
  session,
} from "./limit-oidc.mjs"
import { attributes, cookieIn, pushToken, random, seconds, sealerOf, sha256 } from "./limit-tokens.mjs"

/*
 * The least work that gives the answers of a scenario, in the interface of the engines: find the cookie, open one token with a
 * key that is ready, parse it, make the response. It isn't a library. It has one configuration, no callbacks, no events, no error
 * pages, and it trusts its provider. Its time is the unit of every target.
 */
const day = 86_400
const json = Object.freeze({
  "content-type": "application/json",
  "cache-control": "private, no-cache, no-store",
  expires: "0",
  pragma: "no-cache",
})
const jsonPairs = Object.entries(json)

function opened(header) {
  const token = header === null ? undefined : cookieIn(header, sessionCookie)
  return token === undefined ? undefined : session.open(token)
}

const expiry = () => new Date(Date.now() + month * 1000)

function sessionOf({ name, email, picture }) {
  return { user: { name, email, image: picture }, expires: expiry().toISOString() }
}

/** The response that sets the session cookie again. */
function renewed(claims) {
  const headers = jsonPairs.slice()
  pushToken(headers, sessionCookie, session.seal(claims, month), month)
  return new Response(JSON.stringify(sessionOf(claims)), { headers })
}

function readSession(request) {
  const claims = opened(request.headers.get("cookie"))
  if (claims === undefined) return new Response("null", { headers: json })
  if (seconds() - claims.iat >= day) return renewed(claims)
  return new Response(JSON.stringify(sessionOf(claims)), { headers: json })
}

async function updateSession(request) {
  const header = request.headers.get("cookie")
  const { csrfToken, data } = JSON.parse(await request.text())
  const claims = hasToken(header, csrfToken) ? opened(header) : undefined
  return claims === undefined
    ? new Response("null", { status: 400, headers: json })
    : renewed({ ...claims, name: data.name })
}

/** A session in a database: `find` gets the token, and answers at once or with a promise. */
function readStored(find) {
  const shown = (found) =>
    found === undefined || found.expires <= Date.now()
      ? new Response("null", { headers: json })
      : new Response(JSON.stringify({ user: found.user, expires: new Date(found.expires).toISOString() }), {
          headers: json,
        })
  return (request) => {
    const token = cookieIn(request.headers.get("cookie"), sessionCookie)
    const found = token === undefined ? undefined : find(token)
    return found instanceof Promise ? found.then(shown) : shown(found)
  }
}

function readCsrfToken(request) {
  const header = request.headers.get("cookie")
  const known = header === null ? undefined : csrfIn(header)
  if (known !== undefined) return new Response(JSON.stringify({ csrfToken: known }), { headers: json })
  const csrfToken = random(32).toString("hex")
  const headers = jsonPairs.slice()
  headers.push(["set-cookie", `${csrfCookie}=${csrfToken}%7C${sha256(csrfToken + secret)}${attributes}`])
  headers.push(["set-cookie", `${callbackCookie}=${encodeURIComponent(origin)}${attributes}`])
  return new Response(JSON.stringify({ csrfToken }), { headers })
}

async function signIn(request) {
  const form = new URLSearchParams(await request.text())
  if (!hasToken(request.headers.get("cookie"), form.get("csrfToken"))) return refuse("MissingCSRF")
  if (form.get("email") !== ada.email || form.get("password") !== "analytical") return refuse("CredentialsSignin")
  const headers = []
  pushToken(
    headers,
    sessionCookie,
    session.seal({ name: ada.name, email: ada.email, picture: ada.image, sub: ada.id }, month),
  )
  return redirect(form.get("callbackUrl"), headers)
}

const join = `select s.expires, u.name, u.email, u.image from sessions s join users u on u.id = s."userId"
  where s."sessionToken" = $1`

const tables = `
  create table users (id serial primary key, name text, email text, image text);
  create table sessions (id serial primary key, "userId" integer not null, expires timestamptz not null,
    "sessionToken" text not null);
  create index on sessions ("sessionToken");`

/** @type {import("./engine.mjs").Engine} */
export const limit = {
  name: "limit",
  customFetch,
  encode: async ({ token, secret: ownSecret, salt, maxAge }) => sealerOf(ownSecret, salt).seal(token, maxAge),

  decode: async ({ token, secret: ownSecret, salt }) => {
    const claims = sealerOf(ownSecret, salt).open(token)
    if (claims === undefined) throw new Error("The token was changed")
    return claims
  },

  getToken: async ({ req }) => opened(req.headers.get("cookie")) ?? null,

  answer({ adapter, providers }) {
    const find = adapter === undefined ? readSession : readStored(adapter.find)
    const { start, finish } = oidcRoutes(providers[1] ?? {})
    const routes = new Map([
      [`GET ${origin}${basePath}/session`, find],
      [`POST ${origin}${basePath}/session`, updateSession],
      [`GET ${origin}${basePath}/csrf`, readCsrfToken],
      [`POST ${origin}${basePath}/callback/credentials`, signIn],
      [`POST ${origin}${basePath}/signin/op`, start],
      [`GET ${origin}${basePath}/callback/op`, finish],
    ])
    return async (request) => {
      const { url } = request
      const query = url.indexOf("?")
      return routes.get(`${request.method} ${query === -1 ? url : url.slice(0, query)}`)(request)
    }
  },

  getSession: () => async (headers) => {
    const claims = opened(headers.get("cookie"))
    return claims === undefined ? null : sessionOf(claims)
  },

  /** Sessions in a map, found at once. */
  memory() {
    const users = new Map()
    const sessions = new Map()
    return {
      createUser: async (user) => users.set(user.id, user).get(user.id),
      createSession: async ({ sessionToken, userId, expires }) => {
        const { name, email, image } = users.get(userId)
        sessions.set(sessionToken, { expires: expires.getTime(), user: { name, email, image } })
      },
      find: (token) => sessions.get(token),
    }
  },

  /** One prepared query with a join. */
  async postgres(pool) {
    await pool.query(tables)
    const one = async (text, values) => (await pool.query(text, values)).rows[0]
    return {
      createUser: ({ name, email, image }) =>
        one("insert into users (name, email, image) values ($1, $2, $3) returning id", [name, email, image]),
      createSession: ({ sessionToken, userId, expires }) =>
        one(`insert into sessions ("userId", expires, "sessionToken") values ($1, $2, $3)`, [
          userId,
          expires,
          sessionToken,
        ]),
      async find(token) {
        const row = (await pool.query({ name: "session", text: join, values: [token] })).rows[0]
        if (row === undefined) return undefined
        const { name, email, image } = row
        return { expires: row.expires.getTime(), user: { name, email, image } }
      },
    }
  },

  /** The queries of the adapter of Auth.js, with nothing around them. */
  overAdapter: (adapter) => ({
    ...adapter,
    async find(token) {
      const found = await adapter.getSessionAndUser(token)
      if (found === null) return undefined
      const {
        session,
        user: { name, email, image },
      } = found
      return { expires: new Date(session.expires).getTime(), user: { name, email, image } }
    },
  }),
}
