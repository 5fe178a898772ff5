import fc from "fast-check"
import { address, host, mailbox, network } from "./addresses.js"
import { mutatedJson } from "./json.js"
import { header, headerText, mutated, nasty, piece } from "./text.js"

/** A request before the platform parses it. */
export interface Sketch {
  readonly method: string
  readonly path: string
  readonly query: readonly (readonly [string, string])[]
  readonly headers: Readonly<Record<string, string>>
  readonly cookies: readonly (readonly [string, string])[]
  readonly type: string
  readonly fields: readonly (readonly [string, string])[]
  /** Instead of the fields. */
  readonly json: string | undefined
  /** Whether the form has a valid CSRF token and its cookie. */
  readonly honest: boolean
}

const routes = [
  "/auth/session",
  "/auth/csrf",
  "/auth/providers",
  "/auth/signin",
  "/auth/signin/op",
  "/auth/signin/mail",
  "/auth/signin/credentials",
  "/auth/signin/passkey",
  "/auth/callback/op",
  "/auth/callback/mail",
  "/auth/callback/credentials",
  "/auth/callback/passkey",
  "/auth/signout",
  "/auth/account",
  "/auth/error",
  "/auth/verify-request",
  "/auth/webauthn-options",
  "/auth/webauthn-options/passkey",
  "/auth/webauthn-options/op",
]

const path = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...routes) },
  { weight: 1, arbitrary: mutated(fc.constantFrom(...routes)) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom("/auth/", "/auth/signin/", "/auth/callback/"), nasty)
      .map((parts) => parts.join("")),
  },
)

const names = (
  "callbackUrl error code state email token iss name password csrfToken provider type data redirectTo link id scope " +
  "login_hint max_age error_description user json action status provider providerAccountId confirm revokeOtherSessions"
).split(" ")

const fieldName = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(...names),
  },
  piece,
)
const fieldValue = fc.oneof(
  nasty,
  address,
  mailbox,
  fc.constantFrom("open", "ada", "AccessDenied", "Configuration", "CredentialsSignin", "InvalidCheck", "true"),
  fc.constantFrom("register", "authenticate", "rename-passkey", "unlink-account", "revoke-session", "confirm-email"),
)
const fields = fc.array(fc.tuple(fieldName, fieldValue), { maxLength: 5 })

const cookieName = fc
  .tuple(
    fc.constantFrom("", "__Secure-", "__Host-"),
    fc.constantFrom(
      "session-token",
      "session-token.0",
      "session-token.1",
      "callback-url",
      "csrf-token",
      "state",
      "nonce",
      "pkce.code_verifier",
      "challenge",
    ),
    fc.oneof(
      { weight: 2, arbitrary: fc.constant("") },
      nasty.map((text) => `.${text}`),
      fc.constant(".abcdefghij"),
      fc.constant(".@"),
    ),
  )
  .map(([prefix, name, end]) => `${prefix}authjs.${name}${end}`)
const cookies = fc.array(fc.tuple(cookieName, fc.oneof(nasty, address)), { maxLength: 4 })

const headers = fc.record(
  {
    "x-forwarded-host": host.map(headerText),
    "x-forwarded-proto": fc.oneof(fc.constantFrom("https", "http"), header),
    "x-forwarded-for": network.map(headerText),
    forwarded: header,
    origin: fc.oneof(fc.constantFrom("https://app.test", "null", "https://evil.test"), address.map(headerText)),
    referer: address.map(headerText),
    accept: fc.oneof(fc.constantFrom("text/html", "application/json", "*/*"), header),
    authorization: header,
    "user-agent": header,
    "sec-fetch-site": fc.oneof(fc.constantFrom("same-origin", "cross-site", "none"), header),
    "sec-fetch-mode": fc.oneof(fc.constantFrom("navigate", "cors"), header),
    "sec-fetch-dest": fc.oneof(fc.constantFrom("document", "iframe"), header),
    "sec-purpose": fc.constantFrom("prefetch", "prefetch;prerender"),
    "x-auth-return-redirect": fc.constantFrom("1", ""),
    "accept-language": header,
    "if-none-match": header,
    range: header,
  },
  { requiredKeys: [] },
)

const anywhere: fc.Arbitrary<Sketch> = fc.record({
  method: fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom("GET", "POST", "POST", "HEAD") },
    fc.constantFrom("OPTIONS", "PUT", "DELETE", "PATCH", "PROPFIND", "get", "gEt", "__proto__", "constructor"),
  ),
  path,
  query: fields,
  headers,
  cookies,
  type: fc.constantFrom(
    "application/x-www-form-urlencoded",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "text/plain",
  ),
  fields,
  json: fc.option(
    mutatedJson({
      callbackUrl: "/",
      email: "a@b.c",
      name: "ada",
      password: "open",
      data: { user: {} },
      action: "change-email",
      token: "x",
      id: "x",
    }),
    {
      nil: undefined,
      freq: 3,
    },
  ),
  honest: fc.boolean(),
})

/** A callback or an opened link in a browser with the matching cookie, which chance rarely produces. */
const returning: fc.Arbitrary<Sketch> = fc
  .tuple(anywhere, fc.constantFrom("op", "mail"), fc.constantFrom("__Secure-", "__Host-"), nasty, nasty)
  .map(([given, provider, prefix, state, value]) => ({
    ...given,
    path: `/auth/callback/${provider}`,
    query: [...given.query, ["state", state], ["token", value], ["email", "ada@people.test"]],
    cookies: [...given.cookies, [`${prefix}authjs.state.@`, value], [`${prefix}authjs.state.@.p`, value]],
  }))

/** A valid form with a foreign callback URL. */
const posting: fc.Arbitrary<Sketch> = fc
  .tuple(
    anywhere,
    fc.constantFrom("callback/credentials", "callback/passkey", "signout", "signin/op", "signin/mail"),
    address,
  )
  .map(([given, path, callbackUrl]) => ({
    ...given,
    method: "POST",
    path: `/auth/${path}`,
    headers: {},
    type: "application/x-www-form-urlencoded",
    fields: [...given.fields, ["email", "ada@people.test"], ["password", "open"], ["callbackUrl", callbackUrl]],
    json: undefined,
    honest: true,
  }))

export const sketch: fc.Arbitrary<Sketch> = fc.oneof(
  { weight: 1, arbitrary: posting },
  { weight: 4, arbitrary: anywhere },
  { weight: 1, arbitrary: returning },
)

interface Own {
  readonly csrf: string
  readonly cookies: string
}

/** `undefined`: the platform refuses such a request. */
export function requestOf(given: Sketch, own: Own): Request | undefined {
  const { method, path: at, query, type, json } = given
  const contentType = json === undefined ? type : "application/json"
  const body = /^(?:get|head)$/i.test(method)
    ? {}
    : { body: json === undefined ? formOf(given, own) : jsonOf(given, own) }
  const headers = { ...given.headers, cookie: headerText(cookieOf(given, own)), "content-type": contentType }
  const search = new URLSearchParams(query.map(([name, value]) => [name, value])).toString()
  try {
    return new Request(`https://app.test${at}${search === "" ? "" : `?${search}`}`, { method, headers, ...body })
  } catch {
    return undefined
  }
}

/** Replaces `@` in a cookie name with the last ten characters of the state, as in the name of a flow cookie. */
function cookieOf({ query, fields: form, cookies: jar, honest }: Sketch, own: Own): string {
  const [, state = ""] = [...form, ...query].findLast(([name]) => name === "state") ?? []
  const pairs = jar.map(([name, value]) => `${name.replace("@", () => state.slice(-10))}=${value}`)
  return [...(honest ? [own.cookies] : []), ...pairs].join("; ")
}

function formOf({ fields: form, honest }: Sketch, { csrf }: Own): string {
  const all = new URLSearchParams(form.map(([name, value]) => [name, value]))
  if (honest) all.set("csrfToken", csrf)
  return all.toString()
}

function jsonOf({ json = "", honest }: Sketch, { csrf }: Own): string {
  return honest ? json.replace(/^\{/, () => `{"csrfToken":"${csrf}",`) : json
}
