import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { canonicalEmail, profileEmail, sameMailbox, spellingsOf, typedEmail } from "./email-address.js"

const v5 = { asciiEmails: false }
const ascii = { asciiEmails: true }

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
  ["ada@XN--BCHER-KVA.example", "ada@xn--bcher-kva.example"],
  [`${"a".repeat(64)}@example.com`, `${"a".repeat(64)}@example.com`],
  ["ada@1and1.example", "ada@1and1.example"],
  ["ada@mail.123.example", "ada@mail.123.example"],
  ["ada@mail.a1", "ada@mail.a1"],
  ["ada@mail.1a", "ada@mail.1a"],
  [longest("d".repeat(57)), longest("d".repeat(57))],
])("typed as %j, an email is %j", (typed, email) => {
  expect(typedEmail(typed, v5)).toBe(email)
  expect(typedEmail(typed, ascii)).toBe(email)
})

describe("under compatible, an email is as Auth.js v5 stores it, and under strict it's plain", () => {
  test.each([
    ["admin@localhost", "admin@localhost", undefined],
    ["user@intranet", "user@intranet", undefined],
    ["Jörg@example.de", "jörg@example.de", undefined],
    ["taro..yamada@docomo.example", "taro..yamada@docomo.example", undefined],
    [".ada.@example.com", ".ada.@example.com", undefined],
    ["user@10.0.0.1", "user@10.0.0.1", undefined],
    ["user@0x7f.1", "user@0x7f.1", undefined],
    ["ada@x_y.example", "ada@x_y.example", undefined],
    ["ada@example..com", "ada@example..com", undefined],
    ["аda@example.com", "аda@example.com", undefined],
    ["mıke@example.com", "mıke@example.com", undefined],
    ["ada@❤.example", "ada@❤.example", "ada@xn--qei.example"],
    ["ada@BÜCHER.example", "ada@bücher.example", "ada@xn--bcher-kva.example"],
  ])("%j", (typed, compatible, strict) => {
    expect(typedEmail(typed, v5)).toBe(compatible)
    if (strict === undefined) expect(() => typedEmail(typed, ascii)).toThrow("isn't a plain email address")
    else expect(typedEmail(typed, ascii)).toBe(strict)
  })
})

describe("MAIL-03: refused", () => {
  test.each([
    ["nothing", ""],
    ["no @", "ada.example.com"],
    ["no local part", "@example.com"],
    ["no domain", "ada@"],
    ["two @", "ada@evil.test@example.com"],
    ["two addresses", "ada@example.com,eve@evil.test"],
    ["a comma", "ada@example.com,evil.test"],
    ["a semicolon", "ada@example.com;eve@evil.test"],
    ["a header", "ada\r\nBcc:eve@evil.test"],
    ["a line break in the domain", "ada@example.com\nbcc.evil.test"],
    ["a space inside", "a b@example.com"],
    ["a space in quotes", '"a b"@example.com'],
    ["a quoted @", '"ada@evil.test"@example.com'],
    ["angle brackets", "<ada@example.com>"],
    ["a display name", "Ada <ada@example.com>"],
    ["an address literal", "ada@[127.0.0.1]"],
    ["a comment", "ada(c)@example.com"],
    ["a zero-width space in front", "\u200bada@example.com"],
    ["a change of direction", "ada\u202e@example.com"],
    ["an invisible letter", "ada\u3164@example.com"],
    ["a variation selector", "ada\ufe0f@example.com"],
    ["a soft hyphen in the domain", "ada@exam\u00adple.com"],
    ["a NUL", "ada\u0000@example.com"],
    ["half of a character", "ada\ud83d@example.com"],
    ["a port", "ada@example.com:25"],
    ["a path", "ada@example.com/evil"],
    ["a query", "ada@example.com?bcc=eve"],
    ["an escape", "ada@exam%70le.com"],
    ["a dot of another script", "ada@example\u3002com"],
    ["a way over another host, with !", "example.org!ada@example.com"],
    ["a way over another host, with %", "ada%example.org@example.com"],
    ["an encoded word", "=?utf-8?q?ada=40example.org?=@example.com"],
    ["a local part of 65 characters", `${"a".repeat(65)}@example.com`],
    ["a local part of 300 characters", `${"a".repeat(300)}@example.com`],
    ["255 characters", longest("d".repeat(58))],
    ["more than 254 characters", `ada@${"a123456789.".repeat(25)}com`],
    ["60,000 characters", "a".padEnd(60_000, "\u0323")],
  ])("%s", (_title, typed) => {
    for (const rules of [v5, ascii]) {
      expect(() => typedEmail(typed, rules)).toThrow("This isn't a plain email address")
    }
  })

  test.each([
    ["a hyphen at the end of a label", "ada@example-.com"],
    ["a dot at the end of the domain", "ada@example.com."],
    ["an IPv4 address in one number", "ada@2130706433"],
    ["an IPv4 address with a longer end", "ada@10.0.0.210"],
    ["a label of 64 characters", `ada@${"a".repeat(64)}.com`],
    ["more than 254 characters in the end", `ada@${"ü.".repeat(30)}${"c".repeat(63)}.com`],
  ])("under strict: %s", (_title, typed) => {
    expect(() => typedEmail(typed, ascii)).toThrow("This isn't a plain email address")
  })
})

test.each<[string, string, string | undefined, string | undefined]>([
  ["a plain one", "Ada@Example.com", "ada@example.com", "ada@example.com"],
  ["an international domain", "info@Bücher.de", "info@bücher.de", "info@xn--bcher-kva.de"],
  ["spaces around it", " ada@example.com ", " ada@example.com ", "ada@example.com"],
  ["one label", "admin@localhost", "admin@localhost", undefined],
  ["a user name", "ada", "ada", undefined],
  ["no text", "", "", undefined],
  ["quotes", '"ada b"@example.com', '"ada b"@example.com', undefined],
  ["wide letters", "ａda@example.com", "ａda@example.com", undefined],
  ["a line break", "ada@example.com\r\nBcc: eve@evil.test", undefined, undefined],
  ["a line break at the end", "ada@example.com\n", undefined, "ada@example.com"],
  ["another line break", "ada\u2028@example.com", undefined, undefined],
  ["a zero-width space", "ada\u200b@example.com", undefined, undefined],
  ["a change of direction", "ada\u202e@example.com", undefined, undefined],
  ["an invisible letter", "ada\u3164@example.com", undefined, undefined],
  ["half of a character", "ada\ud83d@example.com", undefined, undefined],
  ["two addresses", "ada@example.com, eve@evil.test", undefined, undefined],
  ["a comma", "eve,ada@example.com", undefined, undefined],
  ["a semicolon", "ada@example.com;evil.test", undefined, undefined],
  ["a display name", "Ada <ada@example.com>", undefined, undefined],
  ["a quoted @", '"eve@evil.test"@example.com', undefined, undefined],
  ["513 characters", "@example.com".padStart(513, "a"), undefined, undefined],
])("from a profile, an email that has %s is kept or dropped: %#", (_title, given, compatible, strict) => {
  expect(profileEmail(given, v5)).toBe(compatible)
  expect(profileEmail(given, ascii)).toBe(strict)
})

test.each<[string, unknown, string, boolean]>([
  ["itself", "ada@example.com", "ada@example.com", true],
  ["another case", "Ada@Example.COM", "ada@example.com", true],
  ["spaces", " ada@example.com\n", "ada@example.com", true],
  ["Punycode", "info@xn--bcher-kva.de", "info@bücher.de", true],
  ["wide letters in the domain", "ada@ｅxample.com", "ada@example.com", true],
  ["an accent as a character of its own", "jo\u0308rg@example.de", "jörg@example.de", true],
  ["a kelvin sign, which is a K to Unicode", "\u212aate@example.com", "kate@example.com", true],
  ["a plus", "ada+x@example.com", "ada@example.com", false],
  ["a dot", "a.da@example.com", "ada@example.com", false],
  ["a look-alike", "аda@example.com", "ada@example.com", false],
  ["a look-alike domain", "ada@exаmple.com", "ada@example.com", false],
  ["an accent", "jorg@example.de", "jörg@example.de", false],
  ["a sharp s", "ada@strasse.de", "ada@straße.de", false],
  ["wide letters in the local part", "ａda@example.com", "ada@example.com", false],
  ["a ligature", "ﬁna@example.com", "fina@example.com", false],
  ["a dotted capital I", "\u0130da@example.com", "ida@example.com", false],
  ["another spelling of an IPv4 address", "ada@0xa.1", "ada@10.0.0.1", false],
  ["an escape", "ada@exam%70le.com", "ada@example.com", false],
  ["a line break", "ada@exam\nple.com", "ada@example.com", false],
  ["a port", "ada@example.com:443", "ada@example.com", false],
  ["a comma", "ada@example.com,eve@evil.test", "ada@example.com", false],
  ["more than 512 characters", "ada@example.com".padEnd(513), "ada@example.com", false],
  ["nothing", null, "ada@example.com", false],
  ["no text", 7, "ada@example.com", false],
  ["another case of a phone number", "+49 170 X", "+49 170 x", false],
])("a stored email that has %s is the same mailbox or not: %#", (_title, stored, email, same) => {
  expect(sameMailbox(stored, email)).toBe(same)
})

test.each([
  ["ada@example.com", []],
  ["+49 170 1234567", []],
  ["user@10.0.0.1", []],
  ["Ada@example.com", ["ada@example.com"]],
  ["info@bücher.de", ["info@xn--bcher-kva.de"]],
  ["info@xn--bcher-kva.de", ["info@bücher.de"]],
  ["info@bücher.xn--p1ai", ["info@xn--bcher-kva.xn--p1ai", "info@bücher.рф"]],
  ["a@xn--80ak6aa92e.com", ["a@аррӏе.com"]],
  ["a@xn--fiqs8s", ["a@中国"]],
  ["a@xn--qei.ws", ["a@❤.ws"]],
  ["xn--bcher-kva.a@example.com", []],
  ["a@xn--.com", []],
  ["a@xn--a-.com", []],
  ["a@xn--99999999999.com", []],
  // Punycode of ASCII, which DNS doesn't have.
  ["a@xn--a-.xn--bcher-kva.de", []],
])("%s is looked up in its other spellings too: %j", (email, others) => {
  expect([...spellingsOf(email)]).toEqual([email, ...others])
})

/** Text that is often nearly an address. */
const nearly = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.emailAddress(),
  fc.tuple(fc.string(), fc.domain()).map(([local, domain]) => `${local}@${domain}`),
  fc.tuple(fc.emailAddress(), fc.string({ unit: "grapheme" })).map(([address, rest]) => address + rest),
)

test("whatever is typed, it's one address that keeps its form, or an Error with our sentence", () => {
  fc.assert(
    fc.property(nearly, fc.constantFrom(v5, ascii), (typed, rules) => {
      let email: string
      try {
        email = typedEmail(typed, rules)
      } catch (error) {
        expect(String(error)).toContain("isn't a plain email address")
        return
      }
      expect(email).toMatch(
        rules.asciiEmails ? /^[\x21-\x7e]{1,64}@[a-z0-9.-]{1,253}$/ : /^[^@\s]{1,64}@[^@\s]{1,253}$/u,
      )
      expect(typedEmail(email, rules)).toBe(email)
      expect(typedEmail(` ${email} `, rules)).toBe(email)
    }),
    { numRuns: 2000 },
  )
})

test("the canonical form is its own canonical form, and that of each spelling", () => {
  fc.assert(
    fc.property(nearly, (text) => {
      const canonical = canonicalEmail(text)
      expect(canonicalEmail(canonical)).toBe(canonical)
      for (const spelling of spellingsOf(text)) expect(sameMailbox(spelling, text)).toBe(true)
    }),
    { numRuns: 2000 },
  )
})
