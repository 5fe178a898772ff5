import { expect, test } from "vitest"
import { createActionURL } from "@latchkey/core"
import { decode, getToken } from "@latchkey/core/jwt"
import { readBody } from "../../src/http/body.js"
import { parseCookies } from "../../src/http/cookie.js"
import { canonicalEmail } from "../../src/http/email-address.js"
import { addressOf } from "../../src/http/incoming.js"
import { resolveOrigin } from "../../src/http/origin.js"
import { sameOriginOnly } from "../../src/http/redirect.js"
import { canonicalAddress, clientAddress } from "../../src/limits/address.js"
import { normalIdentifier } from "../../src/limits/identifier.js"
import { brief } from "../../src/methods/oauth/token.js"
import { colorOf } from "../../src/pages/color.js"
import { html } from "../../src/pages/html.js"
import { readToken } from "../../src/session/carrier.js"
import { patience } from "./holds.js"

/** What a careless expression or loop goes over again and again: each is repeated, between a beginning and an end. */
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

/** Milliseconds: what is quicker is not measured well. */
const floor = 0.5

/**
 * Four times the text may take four times the time, and some, for memory gets slower; the square would be sixteen. The quickest of several runs
 * counts, and a jump must come again: other programs run beside us.
 */
async function expectLinear(parse: (text: string) => unknown): Promise<void> {
  for (const [start, each, end] of repeated) {
    let before = floor
    for (let power = 10; power <= 20; power += 2) {
      const text = (start + each.repeat(Math.ceil(2 ** power / each.length)) + end).slice(0, 2 ** power + 100)
      const allowed = 12 * Math.max(before, floor)
      const now = await quickest(() => parse(text), allowed)
      expect(now, `${JSON.stringify([start, each, end])}, 2^${power} characters, after ${before} ms`).toBeLessThan(
        allowed,
      )
      before = now
    }
  }
}

async function quickest(work: () => unknown, allowed: number): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let run = 0; run < 1 || (best >= allowed && run < 30); run++) {
    const start = performance.now()
    await attempt(work)
    best = Math.min(best, performance.now() - start)
    if (best > 20_000) break
  }
  return best
}

/** What a header can hold of it. */
function latin(text: string): string {
  return text.replace(/[^\x20-\xff]+/g, "")
}

/** A refusal is an answer. */
async function attempt(work: () => unknown): Promise<void> {
  try {
    await work()
  } catch {
    // What it says is the business of other tests.
  }
}

const secret = "kV3b9QmT7xZ1cW5yR8nL2pD6fH4jS0gAeUiOqBtMvXs"
const salt = "authjs.session-token"
const limits = { trustedProxies: 0, address: undefined } as unknown as Parameters<typeof clientAddress>[0]["options"]
const types = ["application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=a"]

const parsers: Readonly<Record<string, (text: string) => unknown>> = {
  "a cookie header": (text) => parseCookies(text),
  "a session in parts": (text) => readToken(new Map([...parseCookies(text), ["a.0", text], ["a.1", text]]), "a"),
  "a session token": async (text) => decode({ token: text, secret, salt }),
  "an Authorization header": async (text) =>
    getToken({ req: { headers: { authorization: `Bearer ${text}` } }, secret }),
  "an e-mail address": (text) => canonicalEmail(text),
  "an account's name": (text) => normalIdentifier(text),
  "a client's address": (text) => canonicalAddress(text),
  "forwarded addresses": (text) =>
    clientAddress({
      headers: new Headers({ "x-forwarded-for": latin(text) }),
      peer: undefined,
      options: limits,
      behindProxy: true,
    }),
  "a forwarded host": (text) =>
    resolveOrigin({ providers: [], trustHost: ["*.app.test", "app.test:8443"] }, undefined, false, {
      own: "https://app.test",
      headers: new Headers({ "x-forwarded-host": latin(text), "x-forwarded-proto": "https" }),
    }),
  "a host for an action": (text) =>
    createActionURL("session", "https:", new Headers({ host: latin(text) }), {}, { basePath: text }),
  "a path": (text) => addressOf("/auth", `/auth/${text}`),
  "a place to return to": (text) => sameOriginOnly({ url: text, baseUrl: "https://app.test" }),
  "a colour": (text) => colorOf(text),
  "a value on a page": (text) => html`<p title="${text}">${text}</p>`.toString(),
  "a provider's words": (text) => brief(text),
}

for (const [what, parse] of Object.entries(parsers)) {
  test(`the time for ${what} grows with its length, and no faster`, () => expectLinear(parse), patience)
}

for (const type of types) {
  test(
    `the time for a body (${type}) grows with its length, and no faster`,
    () =>
      expectLinear(async (text) =>
        readBody(new Request("https://app.test/", { method: "POST", body: text, headers: { "content-type": type } })),
      ),
    patience,
  )
}
