import { expect, test } from "vitest"
import { AuthError, EmailSignInError } from "../errors.js"
import { formatMailbox, oneRecipient, parseMailbox } from "./mailbox.js"

test.each([
  ["hello@acme.test", undefined, "hello@acme.test", "hello@acme.test"],
  ["<hello@acme.test>", undefined, "hello@acme.test", "hello@acme.test"],
  [" Acme <hello@acme.test> ", "Acme", "hello@acme.test", "Acme <hello@acme.test>"],
  ["Acme, Inc. <hello@acme.test>", "Acme, Inc.", "hello@acme.test", '"Acme, Inc." <hello@acme.test>'],
  ['"Acme \\"A\\"" <hello@acme.test>', 'Acme "A"', "hello@acme.test", '"Acme \\"A\\"" <hello@acme.test>'],
  ["Bäckerei 麺 <brot@backen.test>", "Bäckerei 麺", "brot@backen.test", "Bäckerei 麺 <brot@backen.test>"],
])("%j is a single sender", (from, name, address, text) => {
  expect(parseMailbox(from)).toEqual({ name, address })
  expect(formatMailbox(parseMailbox(from))).toBe(text)
})

const bad = [
  "",
  "acme.test",
  "a@acme.test,b@acme.test",
  "a@acme.test b@acme.test",
  "Acme <a@acme.test>, Eve <e@evil.test>",
  "Acme <a@acme.test>\r\nBcc: e@evil.test",
  "Acme\r\nBcc: e@evil.test <a@acme.test>",
  '"Acme\nBcc: e@evil.test" <a@acme.test>',
  "a@acme.test\u0000",
  "a@b@acme.test",
  "e@evil.test <a@acme.test>",
]

test.each(bad)("%j isn't a single sender", (from) => expect(() => parseMailbox(from)).toThrow(AuthError))

test.each([...bad, "Ada <ada@b.test>", '"ada"@b.test', "ada@b.test;eve@c.test", "ada@b.test, eve@c.test"])(
  "%j isn't a single recipient",
  (address) => expect(() => oneRecipient(address)).toThrow(EmailSignInError),
)

test("a long text that is nearly a sender is refused at once", () => {
  const began = performance.now()
  for (const text of [`${" ".repeat(50_000)}<`, `${"a ".repeat(50_000)}<a@b`, `"${"\\a".repeat(50_000)}`]) {
    expect(() => parseMailbox(text)).toThrow(AuthError)
  }
  expect(performance.now() - began).toBeLessThan(500)
})
