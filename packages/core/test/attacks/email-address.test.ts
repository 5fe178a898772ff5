import nodemailer from "@latchkey/core/providers/nodemailer"
import { Auth } from "@latchkey/core"
import { expect, test } from "vitest"
import { attack, type Mode } from "../../../../tests/attack.js"
import { errorAt } from "../flows/signin/setup.js"
import { csrfPair } from "../http/app.js"
import { type Site, site } from "./email-setup.js"

/** Each email is refused without a call of the adapter or the mailer. */
async function refuses(mode: Mode, addresses: readonly string[]): Promise<void> {
  const its = await site(mode)
  for (const email of addresses) {
    await its.browser.signIn("email", { email })
    expect(its.browser.trail[0]?.status, JSON.stringify(email)).toBe(302)
    expect(errorAt(its.browser), JSON.stringify(email)).toBe("/auth/signin EmailSignin")
  }
  expect(its.mail.sent).toEqual([])
  expect(its.calls).toEqual([])
  expect(its.browser.cookies.filter(({ name }) => name.includes("nonce"))).toEqual([])
}

attack("ADV-NA-07", "a list of emails is refused, and no message is sent", async (mode) => {
  await refuses(mode, [
    "attacker@e.com,victim@v.com",
    "victim@v.com,e.com",
    "victim@v.com;x@e.com",
    "victim@v.com x@e.com",
    "victim@v.com\tx@e.com",
    "victim@v.com\nx@e.com",
    "victim@v.com%2cx@e.com",
    "victim@v.com|e.com",
    "victim@v.com&x@e.com",
    '["victim@v.com"]',
    "group:victim@v.com,x@e.com;",
    "@relay.test:victim@v.com",
  ])
})

type Send = (path: string, init?: RequestInit) => Promise<Response>

async function sendTo({ config }: Site): Promise<{ send: Send; token: string; cookie: string }> {
  const send: Send = async (path, init) => Auth(new Request(`https://app.test${path}`, init), config)
  return { send, ...(await csrfPair(send)) }
}

attack("ADV-NA-07", "two different `email` fields, or a list in JSON, send no message", async (mode) => {
  const its = await site(mode)
  const { send, token, cookie } = await sendTo(its)
  const both = ["attacker@e.com", "victim@v.com"]
  const form = new URLSearchParams([["csrfToken", token], ...both.map((one): [string, string] => ["email", one])])
  const multipart = new FormData()
  for (const [name, value] of form) multipart.append(name, value)
  const json = { "content-type": "application/json" }
  const bodies: [BodyInit, Record<string, string>][] = [
    [form, {}],
    [multipart, {}],
    [JSON.stringify({ csrfToken: token, email: both }), json],
    [JSON.stringify({ csrfToken: token, email: [both[0]] }), json],
    [JSON.stringify({ csrfToken: token, email: { address: both[0] } }), json],
    [JSON.stringify({ csrfToken: token, email: 1 }), json],
  ]
  for (const [body, headers] of bodies) {
    const answer = await send("/auth/signin/email", { method: "POST", body, headers: { cookie, ...headers } })
    expect(answer.headers.get("location")).toBe("https://app.test/auth/signin?error=EmailSignin")
  }
  expect(its.mail.sent).toEqual([])
  expect(its.calls).toEqual([])
})

attack("ADV-NA-11", "a quoted local part is refused before the adapter and the mailer are called", async (mode) => {
  await refuses(mode, [
    '"e@attacker.com"@victim.com',
    '"e@attacker.com x"@victim.com',
    '"e@attacker.com>"@victim.com',
    '"e"@victim.com',
    'e."x"@victim.com',
    String.raw`"e\@attacker.com"@victim.com`,
    String.raw`e\@attacker.com@victim.com`,
    "Ada <e@attacker.com>",
    "＂e@attacker.com＂@victim.com",
  ])
})

attack("ADV-NA-11", "the mailer gets the email as an object, not as header text", async (mode) => {
  const messages: unknown[] = []
  const sendMail = async (message: unknown) => messages.push(message)
  const provider = nodemailer({ server: { sendMail }, from: "no-reply@app.test" })
  const its = await site(mode, { rest: { providers: [provider] } })
  await its.browser.signIn("nodemailer", { email: " Ada@Example.TEST" })
  expect(messages).toEqual([
    expect.objectContaining({ to: { address: "ada@example.test" }, from: "no-reply@app.test" }),
  ])
})

attack("ADV-NA-12", "an email that isn't exactly one plain address after NFKC is refused", async (mode) => {
  await refuses(mode, [
    "attacker@evil.com\uFF20victim.com",
    "attacker@evil.com\uFE6Bvictim.com",
    "a\uFE6Bb\uFF20c.com",
    "attacker@evil.com\uFF0Cvictim@v.com",
    "attacker@evil.com\uFE50victim.com",
    "attacker@evil.com\uFF1Bvictim.com",
    "\uFF02a\uFF02@victim.com",
    "\uFF07a\uFF02@victim.com",
    "a\uFF1Cb@victim.com",
    "attacker@evil.com\u2100victim.com",
    "a\u2028b@victim.com",
    "a\u0085b@victim.com",
    "a@victim.com\uFF0Fevil.com",
    "a@victim\uFF03.com",
    "a@victim\u3002com",
  ])
})

attack("ADV-NA-12", "the canonical form of the email is looked up, stored, linked and sent to", async (mode) => {
  const forms = ["a\uFE6Bb.com", "\uFF21@\uFF42.com", "a@\u24D1.\u24D2\u24DE\u24DC", "A@B.COM", "\u2003a@b.com\u3000"]
  for (const typed of forms) {
    const asked: unknown[] = []
    const its = await site(mode, {
      adapter: (good) => ({
        ...good,
        getUserByEmail: async (email) => (asked.push(email), good.getUserByEmail(email)),
      }),
    })
    await its.browser.signIn("email", { email: typed })
    expect(its.mail.sent.map(({ identifier }) => identifier)).toEqual(["a@b.com"])
    expect(its.store.rows().verificationTokens.map(({ identifier }) => identifier)).toEqual(["a@b.com"])
    await its.browser.get(its.mail.link())
    expect(its.store.rows().users.map(({ email }) => email)).toEqual(["a@b.com"])
    expect([...new Set(asked)]).toEqual(["a@b.com"])
  }
})

attack("MAIL-03", "an email that a mailer could read as another one, or as a header, is refused", async (mode) => {
  await refuses(mode, [
    "a\r\nBcc:e@x",
    "a@x.com\r\nBcc: e@x.com",
    "a@x.com\nBcc: e@x.com",
    "a b@x",
    "a b@x.com",
    "<a@x.com>",
    "=?utf-8?q?a=40evil.com=3e=00?=foo@ex.com",
    "evil!foo@v",
    "foo%evil@v",
    "a@[127.0.0.1]",
    "a@[IPv6:::1]",
    "a(c)@x",
    "a(c)@x.com",
    "a@x.com(c)",
    "a\0@x.com",
    "a@x.com\0.evil.com",
    "a@x.com:25",
    "a@x.com/y",
    "a@x.com?y",
    "a@x.com#y",
    "a@x@y.com",
    "a@",
    "@x.com",
    "a",
    `${"a".repeat(300)}@x.com`,
    `${"a".repeat(65)}@x.com`,
    `a@${"b.".repeat(130)}com`,
    "\u200Ba@x.com",
    "a\u200B@x.com",
    "a@x\u00AD.com",
    "a\u202E@x.com",
    "a\u3164@x.com",
  ])
})

test("under strict, an email must be a plain dot-atom at a domain of letters, digits and hyphens", async () => {
  await refuses("strict", [
    "a@127.0.0.1",
    "a@localhost",
    "a@0x7f.1",
    "a@2130706433",
    "a@x..com",
    "a@.x.com",
    "a@x.com.",
    ".a@x.com",
    "a.@x.com",
    "a..b@x.com",
    "a@-x.com",
    "a@x-.com",
    "a@x_y.com",
    `a@${"b".repeat(64)}.com`,
    "é@x.com",
  ])
})

attack("MAIL-03", "the spellings of an internationalized domain are one mailbox", async (mode) => {
  const its = await site(mode)
  await its.store.createUser({ id: "ada", email: "ada@bücher.example", emailVerified: null })
  for (const typed of ["ada@BÜCHER.example", "ada@bücher.example", "ada@xn--bcher-kva.example"]) {
    await its.browser.signIn("email", { email: typed })
    await its.browser.get(its.mail.link())
    await its.browser.post("/auth/signout", { csrfToken: (await its.browser.csrf()) ?? "" })
  }
  expect([...new Set(its.mail.sent.map(({ identifier }) => identifier))]).toEqual(["ada@bücher.example"])
  expect(its.store.rows().users.map(({ id }) => id)).toEqual(["ada"])
})
