import fc from "fast-check"

const locals = [
  "ada",
  "ADA",
  "jörg",
  "jo\u0308rg",
  "用户",
  "аda",
  "ａda",
  "mıke",
  "taro..yamada",
  ".ada.",
  "o'brien+news",
  "a b",
  '"a b"',
  '"a@b"',
  "a,b",
  "a(c)",
  "a!b",
  "a%b",
  "=?utf-8?q?a?=",
  "a\u200b",
  "a\r\nBcc: eve",
  "\u202ea",
  "a".repeat(70),
  "",
]

const domains = [
  "example.test",
  "EXAMPLE.test",
  "localhost",
  "intranet",
  "10.0.0.1",
  "[10.0.0.1]",
  "0xa.1",
  "bücher.test",
  "BÜCHER.test",
  "xn--bcher-kva.test",
  "straße.test",
  "strasse.test",
  "exаmple.test",
  "x_y.test",
  "-x.test",
  "example..test",
  "example.test.",
  "example.test,evil.test",
  "example.test@evil.test",
  "example.test:25",
  "example.test/x",
  "exam\u00adple.test",
  "ｅxample.test",
  `${"b.".repeat(130)}test`,
  "",
]

const address = fc.tuple(fc.constantFrom(...locals), fc.constantFrom(...domains)).map((parts) => parts.join("@"))

/** Emails that are the same one. */
export const spellings = ["info@bücher.test", "INFO@BÜCHER.test", "info@xn--bcher-kva.test"] as const

/** Emails as applications have them, and as users and attackers type them. */
export const email: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      "admin@localhost",
      "user@intranet",
      "jörg@example.test",
      "taro..yamada@docomo.test",
      "user@10.0.0.1",
      ...spellings,
    ),
  },
  { weight: 3, arbitrary: address },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        address,
        fc.constantFrom<[string, string][]>([" ", " "], ["Ada <", ">"], ["<", ">"], ["", "\n"], ["", ";"]),
      )
      .map(([text, [before, after]]) => before + text + after),
  },
  { weight: 1, arbitrary: fc.constantFrom("", " ", "ada", "@", "ada@example.test, eve@evil.test") },
)
