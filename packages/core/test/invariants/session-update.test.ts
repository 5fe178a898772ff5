import { Auth } from "@latchkey/core"
import { decode, encode } from "@latchkey/core/jwt"
import type { AuthConfig, JWT } from "@latchkey/core/types"
import fc from "fast-check"
import { expect, test } from "vitest"
import { holds, patience } from "../fuzz/holds.js"
import { csrfPair, secret, sessionCookie } from "../http/app.js"

type Fields = Record<string, unknown>

/** Everything that names a user or limits a session. */
const identity = ["sub", "id", "userId", "sid", "email", "email_verified", "emailVerified", "sessionToken"]
const times = [
  "exp",
  "iat",
  "nbf",
  "jti",
  "iss",
  "aud",
  "auth_time",
  "auth_time_assumed",
  "checked_at",
  "acr",
  "amr",
  "azp",
  "cnf",
  "nonce",
]
const guarded = [...identity, ...times]
const own: JWT = { sub: "ada", name: "Ada", email: "ada@example.test", id: "ada", user: { id: "ada", name: "Ada" } }

const scalar = fc.oneof(fc.string(), fc.integer(), fc.constantFrom("grace", "ada", "ada@example.test", null, true, 9e9))
const fields = (value: fc.Arbitrary<unknown>) =>
  fc.dictionary(fc.oneof(fc.constantFrom(...guarded), fc.constantFrom("name", "theme", "__proto__", "x")), value, {
    maxKeys: 8,
  })
const data: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  {
    weight: 9,
    arbitrary: fc
      .tuple(fields(fc.oneof(scalar, fields(scalar))), fc.option(fields(fc.oneof(scalar, fields(scalar)))))
      .map(([top, user]) => (user === null ? top : { ...top, user })),
  },
)

const recipes: readonly ((token: JWT, session: Fields) => JWT)[] = [
  (token, session) => ({ ...token, ...session }),
  (token, session) => ({ ...token, ...(session["user"] as Fields) }),
  (token, session) => Object.assign(token, session, session["user"]),
  (token, session) => ({ ...token, user: session["user"] }),
  (token, session) => ({
    ...token,
    ...session,
    user: { ...(token["user"] as Fields), ...(session["user"] as Fields) },
  }),
]

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

async function update(rest: Partial<AuthConfig>, sent: unknown): Promise<JWT> {
  const logger = { error: (error: Error) => expect.unreachable(error.stack), warn: () => {}, debug: () => {} }
  const config: AuthConfig = { secret, url: "https://app.test", logger, providers: [], ...rest }
  const send = async (path: string, init?: RequestInit) => Auth(new Request(`https://app.test${path}`, init), config)
  const csrf = await csrfPair(send)
  const token = await encode({ token: own, secret, salt: sessionCookie, maxAge: 3600 })
  const headers = { "content-type": "application/json", cookie: `${csrf.cookie}; ${sessionCookie}=${token}` }
  const body = JSON.stringify({ csrfToken: csrf.token, data: sent })
  const response = await send("/auth/session", { method: "POST", headers, body })
  expect(response.status).toBe(200)
  const line = response.headers.getSetCookie().find((each) => each.startsWith(`${sessionCookie}=`)) ?? ""
  const written = await decode({ token: line.split(/[=;]/)[1] ?? "", secret, salt: sessionCookie })
  expect(written).not.toBeNull()
  return written ?? {}
}

test(
  "no data that a browser sends with an update changes who the user is or how long the session lasts",
  () =>
    holds(
      fc.asyncProperty(data, fc.constantFrom(...recipes), async (sent, merge) => {
        const jwt = ({ token, session }: { token: JWT; session?: unknown }) =>
          isFields(session) ? merge(token, session) : token
        const first = Math.floor(Date.now() / 1000)
        const written = await update({ callbacks: { jwt } }, sent)
        expect(written).toMatchObject({ sub: "ada", email: "ada@example.test", id: "ada" })
        const { iat = 0, exp = 0, user } = written
        expect(exp - iat).toBe(2_592_000)
        expect(iat).toBeGreaterThanOrEqual(first)
        expect(iat).toBeLessThanOrEqual(Date.now() / 1000)
        const others = guarded.filter((name) => !["sub", "id", "userId", "email", "iat", "exp", "jti"].includes(name))
        expect(others.filter((name) => name in written)).toEqual([])
        for (const id of ["id", "userId", "sub"]) if (isFields(user) && id in user) expect(user[id]).toBe("ada")
        if (isFields(user) && "email" in user) expect(user["email"]).toBe("ada@example.test")
      }),
      0.25,
    ),
  patience,
)

/** Parts that a callback could merge. Those with times would only make the token of this user unreadable. */
const nested = (value: fc.Arbitrary<unknown>) =>
  fc.dictionary(fc.constantFrom("sub", "id", "name", "x"), value, { maxKeys: 4 })
const parts: readonly ((session: Fields) => readonly unknown[])[] = [
  (session) => [session["x"]],
  (session) => Object.values(session),
  (session) => Object.values(session).flatMap((part) => (isFields(part) ? Object.values(part) : [])),
]

test(
  "whatever part of the data a callback merges, the session keeps its user",
  () =>
    holds(
      fc.asyncProperty(
        nested(fc.oneof(nested(fc.oneof(scalar, nested(scalar))), fc.array(nested(scalar)))),
        fc.constantFrom(...parts),
        async (sent, partsOf) => {
          const jwt = ({ token, session }: { token: JWT; session?: unknown }): JWT =>
            isFields(session) ? Object.assign({ ...token }, ...partsOf(session).flat()) : token
          expect(await update({ callbacks: { jwt } }, sent)).toMatchObject({ sub: "ada" })
        },
      ),
      0.25,
    ),
  patience,
)

test("a callback that looks the user up may still switch to another one", async () => {
  const jwt = ({ token, session }: { token: JWT; session?: unknown }): JWT =>
    isFields(session) && session["impersonate"] === "grace" ? { ...token, sub: "grace" } : token
  expect(await update({ callbacks: { jwt } }, { impersonate: "grace" })).toMatchObject({ sub: "grace" })
})

test(
  "all other data reaches the callback as the browser sent it",
  () =>
    holds(
      fc.asyncProperty(data, async (sent) => {
        const seen: unknown[] = []
        const jwt = (params: { token: JWT; session?: unknown }) => (seen.push(params.session), params.token)
        await update({ callbacks: { jwt } }, sent)
        expect(seen).toHaveLength(1)
        expect(withoutGuarded(seen[0])).toEqual(withoutGuarded(sent ?? undefined))
      }),
      0.25,
    ),
  patience,
)

function withoutGuarded(given: unknown): unknown {
  // What the server reads from the request.
  const value: unknown = given === undefined ? undefined : JSON.parse(JSON.stringify(given), dropPrototype)
  if (!isFields(value)) return value
  const rest = omit(value)
  return isFields(value["user"]) ? { ...rest, user: omit(value["user"]) } : rest
}

function dropPrototype(key: string, value: unknown): unknown {
  return key === "__proto__" ? undefined : value
}

function omit(value: Fields): Fields {
  return Object.fromEntries(Object.entries(value).filter(([name]) => ![...guarded, "__proto__"].includes(name)))
}
