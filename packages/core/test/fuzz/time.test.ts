import { test } from "vitest"
import { createActionURL } from "@latchkey/core"
import { decode, getToken } from "@latchkey/core/jwt"
import { readBody } from "../../src/http/body.js"
import { parseCookies } from "../../src/http/cookie.js"
import { canonicalEmail, profileEmail, spellingsOf, typedEmail } from "../../src/http/email-address.js"
import { parseRoute } from "../../src/http/auth-request.js"
import { resolveOrigin } from "../../src/http/origin.js"
import { sameOriginOnly } from "../../src/http/redirect.js"
import { canonicalIp, clientIp } from "../../src/http/client-ip.js"
import { normalIdentifier } from "../../src/limits/one-spelling.js"
import { brief } from "../../src/features/oauth/guarded-fetch.js"
import { colorOf } from "../../src/html/color.js"
import { html } from "../../src/html/html.js"
import { readSessionCookie } from "../../src/session/session-cookie.js"
import { expectLinear } from "../cost.js"
import { patience } from "./holds.js"

/** Text that makes a careless expression backtrack: each piece is repeated between a beginning and an end. */
const repeated: readonly (readonly [string, string, string])[] = [
  ..." ;=,%.@:/\\\"'<&?#[]-_~|\t\na0é\u0130\u3002".split("").flatMap((each): [string, string, string][] => [
    ["", each, ""],
    ["a", each, "a"],
  ]),
  ["", "a;", ""],
  ["", ";=", "="],
  ["", ";", "="],
  ["a=", "b;c", ""],
  ["", 'a="', ""],
  ["", "%41", "%"],
  ["", "a.", "@"],
  ["a@", "b.", "!"],
  ["a@", "b-", ""],
  ["", "=?", "@b.c"],
  ["https://app.test/", "../", ""],
  ["https://app.test/", "/\\", ""],
  ["https://", "a:b@", "app.test"],
  ["https://", "a.", ""],
  ["", "1.", ""],
  ["[", "0:", "]"],
  ["", "::", ""],
  ["", "1.1.1.1,", ""],
  ["rgb(", "1 , ", ")"],
  ["", "e\u0301", ""],
  ["", "\ufdfa", ""],
  ["x", ".x", ".."],
  ["eyJhbGciOiJkaXIifQ..", "A", ".A.A"],
]

const sizes = [10, 12, 14, 16].map((power) => 2 ** power)

async function expectLinearIn(parse: (text: string) => unknown): Promise<void> {
  for (const [start, each, end] of repeated) {
    const textOf = (size: number) => (start + each.repeat(Math.ceil(size / each.length)) + end).slice(0, size + 100)
    await expectLinear((size) => attemptTo(parse, textOf(size)), sizes)
  }
}

/** The part that a header can contain. */
function latin(text: string): string {
  return text.replace(/[^\x20-\xff]+/g, "")
}

/** A refusal counts as a result. */
function attemptTo(parse: (text: string) => unknown, text: string): () => Promise<void> {
  return async () => {
    try {
      await parse(text)
    } catch {
      // Other tests check the error.
    }
  }
}

const secret = "kV3b9QmT7xZ1cW5yR8nL2pD6fH4jS0gAeUiOqBtMvXs"
const salt = "authjs.session-token"
const limits = { trustedProxies: 0, address: undefined } as unknown as Parameters<typeof clientIp>[0]["options"]
const originPolicy = {
  origin: undefined,
  trustHost: ["*.app.test", "app.test:8443"],
  security: { listedOriginsOnly: false },
}
const types = ["application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=a"]

const parsers: Readonly<Record<string, (text: string) => unknown>> = {
  "a cookie header": (text) => parseCookies(text),
  "a session in chunks": (text) =>
    readSessionCookie(new Map([...parseCookies(text), ["a.0", text], ["a.1", text]]), "a"),
  "a session token": async (text) => decode({ token: text, secret, salt }),
  "an Authorization header": async (text) =>
    getToken({ req: { headers: { authorization: `Bearer ${text}` } }, secret }),
  "an email address": (text) => [
    canonicalEmail(text),
    profileEmail(text, { asciiEmails: false }),
    [...spellingsOf(text)],
  ],
  "a typed email": (text) => typedEmail(text, { asciiEmails: false }),
  "an account's name": (text) => normalIdentifier(text),
  "a client's address": (text) => canonicalIp(text),
  "forwarded addresses": (text) =>
    clientIp({
      headers: new Headers({ "x-forwarded-for": latin(text) }),
      peer: undefined,
      options: limits,
      behindProxy: true,
    }),
  "a forwarded host": (text) =>
    resolveOrigin(originPolicy, {
      own: "https://app.test",
      headers: new Headers({ "x-forwarded-host": latin(text), "x-forwarded-proto": "https" }),
    }),
  "a host for an action": (text) =>
    createActionURL("session", "https:", new Headers({ host: latin(text) }), {}, { basePath: text }),
  "a path": (text) => parseRoute("/auth", `/auth/${text}`),
  "a callback URL": (text) => sameOriginOnly({ url: text, baseUrl: "https://app.test" }),
  "a color": (text) => colorOf(text),
  "a value on a page": (text) => html`<p title="${text}">${text}</p>`.toString(),
  "an error of a provider": (text) => brief(text),
}

for (const [what, parse] of Object.entries(parsers)) {
  test(`the cost of ${what} is linear in its length`, () => expectLinearIn(parse), patience)
}

for (const type of types) {
  test(
    `the cost of a body (${type}) is linear in its length`,
    () =>
      expectLinearIn(async (text) =>
        readBody(new Request("https://app.test/", { method: "POST", body: text, headers: { "content-type": type } })),
      ),
    patience,
  )
}
