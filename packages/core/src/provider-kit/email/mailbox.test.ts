import { expect, test } from "vitest"
import { expectLinear } from "../../../test/cost.js"
import { AuthError, EmailSignInError } from "../../errors.js"
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

test.each([
  ["spaces", (size: number) => `${" ".repeat(size)}<`],
  ["words", (size: number) => `${"a ".repeat(size / 2)}<a@b`],
  ["quoted pairs", (size: number) => `"${"\\a".repeat(size / 2)}`],
])("the cost of refusing a text of %s grows with its length", async (_, textOf) => {
  await expectLinear(
    (size) => {
      const text = textOf(size)
      return () => expect(() => parseMailbox(text)).toThrow(AuthError)
    },
    [1600, 6400, 25_600, 102_400],
  )
})
