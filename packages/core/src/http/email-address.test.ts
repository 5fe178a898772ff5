import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { canonicalEmail, sameMailbox } from "./email-address.js"

/** Of 254 characters with a label of 57. */
function longest(label: string): string {
  return `${"a".repeat(64)}@${"b".repeat(63)}.${"c".repeat(63)}.${label}.com`
}

test.each([
  ["ada@example.com", "ada@example.com"],
  ["  Ada@EXAMPLE.com\n", "ada@example.com"],
  ["ada.b.c+news@mail.example.co.uk", "ada.b.c+news@mail.example.co.uk"],
  ["#$&'*+/=-?^_`{|}~@example.com", "#$&'*+/=-?^_`{|}~@example.com"],
  ["ａｄａ＠ｅｘａｍｐｌｅ．ｃｏｍ", "ada@example.com"],
  ["ada@bücher.example", "ada@xn--bcher-kva.example"],
  ["ada@XN--BCHER-KVA.example", "ada@xn--bcher-kva.example"],
  [`${"a".repeat(64)}@example.com`, `${"a".repeat(64)}@example.com`],
  ["ada@1and1.example", "ada@1and1.example"],
  ["ada@mail.123.example", "ada@mail.123.example"],
  ["ada@mail.a1", "ada@mail.a1"],
  ["ada@mail.1a", "ada@mail.1a"],
  [longest("d".repeat(57)), longest("d".repeat(57))],
])("%j is %j", (typed, canonical) => {
  expect(canonicalEmail(typed)).toBe(canonical)
})

describe("MAIL-03: refused", () => {
  test.each([
    ["nothing", ""],
    ["no @", "ada.example.com"],
    ["no local part", "@example.com"],
    ["no domain", "ada@"],
    ["two @", "ada@evil.test@example.com"],
    ["two addresses", "ada@example.com,eve@evil.test"],
    ["a semicolon", "ada@example.com;eve@evil.test"],
    ["a header", "ada\r\nBcc:eve@evil.test"],
    ["a line break in the domain", "ada@example.com\nbcc.evil.test"],
    ["a space inside", "a b@example.com"],
    ["a space in quotes", '"a b"@example.com'],
    ["a quoted @", '"ada@evil.test"@example.com'],
    ["angle brackets", "<ada@example.com>"],
    ["a display name", "Ada <ada@example.com>"],
    ["an encoded word", "=?utf-8?q?ada=40evil.test=3e=00?=foo@example.com".replaceAll("?=foo", "?=\u0000foo")],
    ["an address literal", "ada@[127.0.0.1]"],
    ["an IPv4 address", "ada@127.0.0.1"],
    ["an IPv4 address with a longer end", "ada@10.0.0.210"],
    ["an IPv4 address in one number", "ada@2130706433"],
    ["an IPv4 address in hexadecimal", "ada@0x7f000001"],
    ["one label", "ada@intranet"],
    ["a comment", "ada(c)@example.com"],
    ["two dots in the domain", "ada@example..com"],
    ["a dot at the end of the domain", "ada@example.com."],
    ["a dot at the start of the local part", ".ada@example.com"],
    ["a dot at the end of the local part", "ada.@example.com"],
    ["two dots in the local part", "a..b@example.com"],
    ["a zero-width space in front", "\u200bada@example.com"],
    ["a NUL", "ada\u0000@example.com"],
    ["a look-alike local part", "mıke@example.com"],
    ["a Cyrillic local part", "аda@example.com"],
    ["a hyphen at the end of a label", "ada@example-.com"],
    ["a port", "ada@example.com:25"],
    ["a path", "ada@example.com/evil"],
    ["an escape", "ada@exam%70le.com"],
    ["a domain without a dot", "ada@localhost"],
    ["a way over another host, with !", "example.org!ada@example.com"],
    ["a way over another host, with %", "ada%example.org@example.com"],
    ["an encoded word", "=?utf-8?q?ada=40example.org?=@example.com"],
    ["a local part of 65 characters", `${"a".repeat(65)}@example.com`],
    ["a local part of 300 characters", `${"a".repeat(300)}@example.com`],
    ["a label of 64 characters", `ada@${"a".repeat(64)}.com`],
    ["255 characters", longest("d".repeat(58))],
    ["more than 254 characters in the end", `ada@${"ü.".repeat(30)}${"c".repeat(63)}.com`],
    ["more than 254 characters", `ada@${"a123456789.".repeat(25)}com`],
  ])("%s", (_title, typed) => {
    expect(() => canonicalEmail(typed)).toThrow("This isn't a plain email address")
  })
})

/** Text that is often nearly an address. */
const nearly = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.emailAddress(),
  fc.tuple(fc.string(), fc.domain()).map(([local, domain]) => `${local}@${domain}`),
  fc.tuple(fc.emailAddress(), fc.string({ unit: "grapheme" })).map(([address, rest]) => address + rest),
)

function attempt(typed: string): string | Error {
  try {
    return canonicalEmail(typed)
  } catch (error) {
    if (error instanceof Error) return error
    throw error
  }
}

test("whatever is typed, there is a canonical address or an Error with our sentence", () => {
  fc.assert(
    fc.property(nearly, (typed) => {
      const result = attempt(typed)
      if (result instanceof Error) expect(result.message).toContain("isn't a plain email address")
      else expect(result).toMatch(/^[\x21-\x7e]{1,64}@[a-z0-9.-]{1,253}$/)
    }),
    { numRuns: 2000 },
  )
})

test("a canonical address is its own canonical form, in any case and with space around it", () => {
  fc.assert(
    fc.property(nearly, (typed) => {
      const canonical = attempt(typed)
      if (canonical instanceof Error) return
      expect(canonicalEmail(canonical)).toBe(canonical)
      expect(canonicalEmail(` ${canonical.toUpperCase()} `)).toBe(canonical)
    }),
    { numRuns: 2000 },
  )
})

test.each<[string, unknown, boolean]>([
  ["itself", "ada@example.com", true],
  ["another case", "Ada@Example.COM", true],
  ["a plus", "ada+x@example.com", false],
  ["a dot", "a.da@example.com", false],
  ["a look-alike", "аda@example.com", false],
  ["nothing", null, false],
  ["no text", 7, false],
])("a stored address that is %s is the mailbox ada@example.com: %#", (_title, stored, same) => {
  expect(sameMailbox(stored, "ada@example.com")).toBe(same)
})

test("an identifier from a custom `normalizeIdentifier` is compared unchanged", () => {
  expect(sameMailbox("+49 170 1234567", "+49 170 1234567")).toBe(true)
})
