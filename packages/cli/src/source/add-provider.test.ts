import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { type NewProvider, withProvider } from "./add-provider.js"
import { configurationsIn } from "./configurations.js"
import { providersOf } from "./providers.js"
import { parse } from "./syntax.js"

const google: NewProvider = { id: "google", module: "google", exportName: "Google", options: undefined }

function added(text: string, provider = google, path = "auth.ts"): string | undefined {
  const source = parse(path, text)
  const [configuration] = configurationsIn(source)
  if (configuration === undefined) throw new Error("No configuration was found")
  return withProvider(source, configuration, provider)
}

const head = 'import NextAuth from "@latchkey/next"\n'
const line = 'import Google from "@latchkey/next/providers/google"\n'

describe("adds the element to", () => {
  test.each([
    ["an empty list", "NextAuth({ providers: [] })", "NextAuth({ providers: [Google] })"],
    ["a comment in it", "NextAuth({ providers: [/* none */] })", "NextAuth({ providers: [/* none */ Google] })"],
    [
      "empty, on two lines",
      "NextAuth({\n  providers: [\n  ],\n})",
      "NextAuth({\n  providers: [\n    Google,\n  ],\n})",
    ],
    ["one line", "NextAuth({ providers: [A, b()] })", "NextAuth({ providers: [A, b(), Google] })"],
    ["one line, comma at the end", "NextAuth({ providers: [A,] })", "NextAuth({ providers: [A, Google,] })"],
    [
      "lines with a comma at the end",
      "NextAuth({\n  providers: [\n    A,\n    b({\n      c: 1,\n    }),\n  ],\n})",
      "NextAuth({\n  providers: [\n    A,\n    b({\n      c: 1,\n    }),\n    Google,\n  ],\n})",
    ],
    [
      "lines without a comma at the end",
      "NextAuth({\n\tproviders: [\n\t\tA,\n\t\tB\n\t]\n})",
      "NextAuth({\n\tproviders: [\n\t\tA,\n\t\tB,\n\t\tGoogle\n\t]\n})",
    ],
    [
      "a comment after the last one",
      "NextAuth({\n  providers: [\n    A, // the first\n  ],\n})",
      "NextAuth({\n  providers: [\n    A, // the first\n    Google,\n  ],\n})",
    ],
    [
      "a comment before the comma that is not there",
      "NextAuth({\n  providers: [\n    A // the first\n  ],\n})",
      "NextAuth({\n  providers: [\n    A, // the first\n    Google\n  ],\n})",
    ],
    ["no list", "NextAuth({ secret: s })", "NextAuth({ providers: [Google], secret: s })"],
    [
      "no list, on lines",
      "NextAuth({\n  // ours\n  secret: s,\n})",
      "NextAuth({\n  // ours\n  providers: [Google],\n  secret: s,\n})",
    ],
    ["nothing", "NextAuth({})", "NextAuth({ providers: [Google] })"],
    ["a quoted key", 'NextAuth({ "providers": [A] })', 'NextAuth({ "providers": [A, Google] })'],
    ["a type", "NextAuth({ providers: [A] as const })", "NextAuth({ providers: [A, Google] as const })"],
    ["satisfies", "NextAuth({ providers: [A] } satisfies X)", "NextAuth({ providers: [A, Google] } satisfies X)"],
    ["parentheses", "NextAuth(({ providers: ([(A)]) }))", "NextAuth(({ providers: ([(A), Google]) }))"],
    [
      "a condition in it",
      "NextAuth({ providers: [A, ...(x ? [B] : [])] })",
      "NextAuth({ providers: [A, ...(x ? [B] : []), Google] })",
    ],
    ["a lazy configuration", "NextAuth(() => ({ providers: [A] }))", "NextAuth(() => ({ providers: [A, Google] }))"],
    [
      "a lazy one with statements",
      "NextAuth(async (request) => {\n  log(request)\n  return { providers: [A] }\n})",
      "NextAuth(async (request) => {\n  log(request)\n  return { providers: [A, Google] }\n})",
    ],
    ["a lazy list", "NextAuth({ providers: () => [A] })", "NextAuth({ providers: () => [A, Google] })"],
    [
      "a frozen one",
      "NextAuth(Object.freeze({ providers: [A] }))",
      "NextAuth(Object.freeze({ providers: [A, Google] }))",
    ],
    [
      "a constant",
      "const config = { providers: [A] }\nexport const { auth } = NextAuth(config)",
      "const config = { providers: [A, Google] }\nexport const { auth } = NextAuth(config)",
    ],
    [
      "a list of its own",
      "export const providers: Provider[] = [A]\nNextAuth({ providers })",
      "export const providers: Provider[] = [A, Google]\nNextAuth({ providers })",
    ],
    [
      "a list of its own, filtered elsewhere",
      "const list = [A]\nNextAuth({ providers: list, x: list.map((p) => p) })",
      "const list = [A, Google]\nNextAuth({ providers: list, x: list.map((p) => p) })",
    ],
  ])("%s", (_, before, after) => {
    expect(added(`${head}\n${before}\n`)).toBe(`${head}${line}\n${after}\n`)
  })
})

describe("finds other forms of a configuration", () => {
  test.each([
    [
      'import { ExpressAuth } from "@latchkey/express"\napp.use("/auth", ExpressAuth({ providers: [] }))\n',
      "@latchkey/express",
    ],
    ['import { ExpressAuth as A } from "@auth/express"\nA({ providers: [] })\n', "@auth/express"],
    [
      'import type { AuthConfig } from "@latchkey/core"\nexport const c: AuthConfig = { providers: [] }\n',
      "@latchkey/core",
    ],
    [
      'import type { NextAuthConfig } from "next-auth"\nexport default { providers: [] } satisfies NextAuthConfig\n',
      "next-auth",
    ],
    ['import { withEnv } from "@latchkey/core"\nconst c = withEnv({ providers: [] }, process.env)\n', "@latchkey/core"],
    ['import { Auth } from "@latchkey/core"\nconst a = (r) => Auth(r, { providers: [] })\n', "@latchkey/core"],
    ['import Next from "next-auth"\nexport const { auth } = Next({ providers: [] })\n', "next-auth"],
  ])("%s", (before, from) => {
    const after = added(before)
    expect(after).toContain(`import Google from "${from}/providers/google"\n`)
    expect(after).toContain("providers: [Google]")
  })

  test("ignores a function of the same name from another package", () => {
    expect(configurationsIn(parse("a.ts", 'import NextAuth from "./mine"\nNextAuth({ providers: [] })'))).toEqual([])
    expect(configurationsIn(parse("a.ts", "const NextAuth = f\nNextAuth({ providers: [] })"))).toEqual([])
  })
})

describe("writes the import in the style of the file", () => {
  test.each([
    [
      "single quotes and semicolons",
      "import NextAuth from '@latchkey/next';\nNextAuth({ providers: [] });\n",
      "import Google from '@latchkey/next/providers/google';\n",
    ],
    [
      "lines of Windows",
      'import NextAuth from "@latchkey/next"\r\nNextAuth({ providers: [] })\r\n',
      'import Google from "@latchkey/next/providers/google"\r\n',
    ],
  ])("%s", (_, before, expected) => {
    expect(added(before)).toContain(expected)
    expect(added(before)?.replaceAll("\r\n", "").includes("\n")).toBe(!before.includes("\r\n"))
  })

  test("adds the import after those of other providers", () => {
    const before = `${head}import A from "@latchkey/next/providers/auth0" // one\nimport z from "zod"\n\nNextAuth({ providers: [A] })\n`
    expect(added(before)).toBe(
      `${head}import A from "@latchkey/next/providers/auth0" // one\n${line}import z from "zod"\n\nNextAuth({ providers: [A, Google] })\n`,
    )
  })

  test("chooses another name if the name is taken", () => {
    const before = `${head}import Google from "./search"\nNextAuth({ providers: [Google.auth] })\n`
    const after = added(before)
    expect(after).toContain('import GoogleProvider from "@latchkey/next/providers/google"')
    expect(after).toContain("[Google.auth, GoogleProvider]")
  })

  test("uses an existing import under its name", () => {
    const before = `${head}import G from "@latchkey/next/providers/google"\nNextAuth({ providers: [] })\n`
    expect(added(before)).toBe(before.replace("[]", "[G]"))
  })

  test("writes options", () => {
    const after = added(`${head}NextAuth({ providers: [] })\n`, {
      ...google,
      options: (read) => `{ key: ${read("KEY")} ?? "" }`,
    })
    expect(after).toContain('providers: [Google({ key: process.env.KEY ?? "" })]')
  })
})

describe("changes nothing if the list has the provider already", () => {
  test.each([
    "[Google]",
    "[A, Google({ clientId: x })]",
    "[...(process.env.X ? [Google] : [])]",
    '[{ id: "google", type: "oidc" }]',
  ])("%s", (list) => {
    expect(added(`${head}${line}NextAuth({ providers: ${list} })\n`)).toBeUndefined()
  })
})

test.each([
  "NextAuth({ providers: all() })",
  "NextAuth({ providers: enabled.map(make) })",
  "NextAuth({ ...shared })",
  'import { providers } from "./providers"\nNextAuth({ providers })',
])("refuses a list that isn't an array literal, with the lines to add: %s", (text) => {
  expect(() => added(head + text)).toThrow(
    /Add these lines yourself[^]*import Google from "@latchkey\/next\/providers\/google"[^]*\[…, Google\]/,
  )
})

test("names the file and line of a syntax error", () => {
  expect(() => parse("auth.ts", "const a = 1\nconst = 3\n")).toThrow(/^auth\.ts:2 has a syntax error/)
})

describe("any list", () => {
  const element = fc.constantFrom(
    "A",
    "b()",
    "c({ d: [1, 2] })",
    "{ id: 'e', type: 'oidc' }",
    "...f",
    "g as H",
    "(i)",
    "/* j */ k",
  )
  const gap = fc.constantFrom("", " ", "\n", "\n\n    ", " // comment\n  ", " /* comment */ ")
  const list = fc
    .tuple(fc.array(fc.tuple(gap, element, gap), { maxLength: 5 }), fc.boolean(), gap)
    .map(
      ([parts, comma, end]) =>
        `[${parts.map((part) => part.join("")).join(",")}${comma && parts.length > 0 ? "," : ""}${end}]`,
    )
  const ends = fc.constantFrom("\n", "\r\n")

  test("gets one more element at its end, nothing else changes, and neither does a second run", () => {
    fc.assert(
      fc.property(list, ends, fc.boolean(), (providers, newline, semicolons) => {
        const text =
          `${head}\nexport const { auth } = NextAuth({ providers: ${providers}, secret: "s" })${semicolons ? ";" : ""}\n`.replaceAll(
            "\n",
            newline,
          )
        const after = added(text) ?? ""
        expect(elementsOf(after)).toEqual([...elementsOf(text), "Google"])
        expect(lettersOf(after.replace(line.trim(), "").replace("Google", ""))).toBe(lettersOf(text))
        expect(added(after)).toBeUndefined()
      }),
      { numRuns: Number(process.env["FUZZ_RUNS"] ?? 300), seed: Number(process.env["FUZZ_SEED"] ?? 1) },
    )
  })
})

function elementsOf(text: string): string[] {
  const source = parse("auth.ts", text)
  const [configuration] = configurationsIn(source)
  const found = configuration === undefined ? undefined : providersOf(source, configuration.object)
  if (found?.kind !== "array") return []
  return found.array.elements.flatMap((one) => (one === null ? [] : [text.slice(one.start, one.end)]))
}

/** The text without white space and commas. */
function lettersOf(text: string): string {
  return text.replaceAll(/[\s,;]/g, "")
}
