import * as authjs from "@auth/core/jwt"
import * as latchkey from "@latchkey/core/jwt"
import fc from "fast-check"
import { maybe, record } from "./arbitraries.js"
import { createSubject, outcomeOf, type Subject } from "./subject.js"

const secrets = [
  "first secret",
  "second secret",
  ["first secret", "second secret"],
  ["second secret", "first secret"],
  "",
  [],
] as const
const salts = ["authjs.session-token", "__Secure-authjs.session-token", "custom", ""]
const claims = [
  undefined,
  {},
  { sub: "ada", role: "admin" },
  { sub: "ada", exp: 1, iat: 1, jti: "own" },
  { name: "Ädä 🦋", list: [1, null] },
]

interface Sealing {
  readonly token?: object
  readonly secret?: string | string[]
  readonly salt: string
  readonly maxAge?: number
}

const sealing = record({
  token: fc.constantFrom(...claims),
  secret: fc.oneof(fc.constantFrom<unknown>(...secrets), fc.constant(undefined)),
  salt: fc.constantFrom(...salts),
  maxAge: maybe(60, 0, -10, -60, 1e9),
}) as fc.Arbitrary<unknown> as fc.Arbitrary<Sealing>

type Encode = (params: never) => Promise<string>
type Decode = (params: never) => Promise<unknown>

function withoutRandom(payload: unknown): unknown {
  if (typeof payload !== "object" || payload === null) return payload
  const { iat: _, jti, exp, ...rest } = payload as Readonly<Record<string, unknown>>
  // Both libraries need some time to seal.
  const lifetime = typeof exp === "number" ? Math.round((exp - Date.now() / 1000) / 5) : exp
  return { ...rest, lifetime, jti: typeof jti }
}

/** A token, and what Auth.js reads in it. */
export const encode: Subject = createSubject<Sealing>({
  name: "encode",
  args: sealing,
  theirs: (args) => sealed(authjs.encode, args),
  ours: (args) => sealed(latchkey.encode, args),
  rows: { "session-encryption": ({ where }) => where === "result.enc" },
})

function sealed(seal: Encode, args: Sealing) {
  return outcomeOf(async () => {
    const token = await seal(args as never)
    const read = authjs.decode({ ...args, token } as never)
    const [header = ""] = token.split(".")
    const { enc } = JSON.parse(atob(header)) as { readonly enc: unknown }
    return { enc, claims: await read.then(withoutRandom, () => "<unreadable>") }
  })
}

interface Opening {
  readonly sealed: Sealing
  readonly by: "authjs" | "latchkey"
  readonly change?: "cut" | "empty" | "missing" | "junk" | "swapped"
  readonly secret?: string | string[]
  readonly salt?: string
}

const opening = record({
  sealed: sealing.filter(({ secret }) => typeof secret === "string" && secret !== ""),
  by: fc.constantFrom("authjs", "latchkey"),
  change: maybe("cut", "empty", "missing", "junk", "swapped"),
  secret: fc.oneof(fc.constant(undefined), fc.constantFrom<unknown>(...secrets)),
  salt: maybe(...salts),
}) as fc.Arbitrary<unknown> as fc.Arbitrary<Opening>

async function tokenOf({ sealed: args, by, change }: Opening): Promise<string | undefined> {
  const seal = (by === "authjs" ? authjs.encode : latchkey.encode) as Encode
  const token = await seal(args as never)
  if (change === "cut") return token.slice(0, -5)
  if (change === "swapped") return token.split(".").toReversed().join(".")
  return change === undefined ? token : { empty: "", missing: undefined, junk: "junk" }[change]
}

export const decode: Subject = createSubject<Opening>({
  name: "decode",
  args: opening,
  theirs: (args) => opened(authjs.decode, args),
  ours: (args) => opened(latchkey.decode, args),
  rows: {},
})

function opened(open: Decode, args: Opening) {
  return outcomeOf(async () => {
    const { secret = args.sealed.secret, salt = args.sealed.salt } = args
    return withoutRandom(await open({ token: await tokenOf(args), secret, salt } as never))
  })
}

interface Reading extends Opening {
  readonly params: Readonly<Record<string, unknown>>
  readonly place: "cookie" | "chunks" | "bearer" | "encoded bearer" | "other scheme" | "both" | "none"
  readonly cookie: string
  readonly request: "Request" | "record" | "Headers" | "none"
}

const reading = record({
  sealed: sealing.filter(({ secret }) => typeof secret === "string" && secret !== ""),
  by: fc.constantFrom("authjs", "latchkey"),
  change: maybe("cut", "empty", "junk"),
  place: fc.constantFrom("cookie", "chunks", "bearer", "encoded bearer", "other scheme", "both", "none"),
  cookie: fc.constantFrom("authjs.session-token", "__Secure-authjs.session-token", "custom", "next-auth.session-token"),
  request: fc.constantFrom("Request", "record", "Headers", "none"),
  params: record({
    secret: fc.oneof(fc.constant("first secret"), fc.constantFrom<unknown>(...secrets, undefined)),
    secureCookie: maybe(true, false),
    cookieName: maybe("custom", "authjs.session-token"),
    salt: maybe(...salts),
    raw: maybe(true, false),
  }),
}) as fc.Arbitrary<unknown> as fc.Arbitrary<Reading>

async function requestOf(args: Reading): Promise<unknown> {
  const { place, cookie, request } = args
  const token = (await tokenOf(args)) ?? ""
  const half = Math.ceil(token.length / 2)
  const headers: Readonly<Record<Reading["place"], Record<string, string>>> = {
    cookie: { cookie: `a=b; ${cookie}=${token}` },
    chunks: { cookie: `${cookie}.1=${token.slice(half)}; ${cookie}.0=${token.slice(0, half)}` },
    bearer: { authorization: `Bearer ${token}` },
    "encoded bearer": { authorization: `Bearer ${encodeURIComponent(token)}%` },
    "other scheme": { authorization: `Basic ${token}` },
    both: { cookie: `${cookie}=junk`, authorization: `Bearer ${token}` },
    none: {},
  }
  if (request === "none") return undefined
  if (request === "Request") return new Request("https://a.test/", { headers: headers[place] })
  return { headers: request === "record" ? headers[place] : new Headers(headers[place]) }
}

export const getToken: Subject = createSubject<Reading>({
  name: "getToken",
  args: reading,
  theirs: (args) => found(authjs.getToken, args),
  ours: (args) => found(latchkey.getToken, args),
  rows: {
    "version4-sessions": (_, { cookie, params, place }) =>
      cookie === "next-auth.session-token" &&
      params["cookieName"] === undefined &&
      ["cookie", "chunks", "both"].includes(place),
    "bearer-without-token": ({ ours }, { change, place }) =>
      change === "empty" && ["bearer", "both"].includes(place) && ours === null,
  },
})

function found(get: Decode, args: Reading) {
  return outcomeOf(async (logger) => {
    const result = await get({ req: await requestOf(args), logger, ...args.params } as never)
    return typeof result === "string" ? result.length : withoutRandom(result)
  })
}
