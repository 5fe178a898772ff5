import { describe, expect, test } from "vitest"
import { withModule } from "./add-module.js"
import { configurationsIn } from "./configurations.js"
import { parse } from "./syntax.js"

const module = { package: "@latchkey/password", exportName: "password" }
const start = 'import NextAuth from "@latchkey/next"\n'
const added = 'import { password } from "@latchkey/password"\n'

function changed(text: string): string | undefined {
  const source = parse("auth.ts", text)
  const [configuration] = configurationsIn(source)
  if (configuration === undefined) throw new Error("The sample has no configuration")
  return withModule(source, configuration, module)
}

describe("a module is added to", () => {
  test.each([
    ["an object", "NextAuth({ providers: [] })", "NextAuth({ modules: [password()], providers: [] })"],
    ["its list", "NextAuth({ modules: [mfa()] })", "NextAuth({ modules: [mfa(), password()] })"],
    ["an empty list", "NextAuth({ modules: [] })", "NextAuth({ modules: [password()] })"],
    ["a spread", "NextAuth({ ...config })", "NextAuth({ modules: [password()], ...config })"],
    [
      "a function",
      "NextAuth(() => ({ providers: [] }))",
      "NextAuth(() => ({ providers: [] }), { modules: [password()] })",
    ],
    [
      "a function with a body",
      "NextAuth(async () => { return { providers: [] } })",
      "NextAuth(async () => { return { providers: [] } }, { modules: [password()] })",
    ],
    [
      "the options of a function",
      "NextAuth(() => ({ providers: [] }), { modules: [mfa()] })",
      "NextAuth(() => ({ providers: [] }), { modules: [mfa(), password()] })",
    ],
  ])("%s", (_, before, after) => {
    expect(changed(`${start}export const { auth } = ${before}\n`)).toBe(
      `${start}${added}export const { auth } = ${after}\n`,
    )
  })

  test("a configuration with a line for each option", () => {
    expect(changed(`${start}NextAuth({\n  providers: [],\n})\n`)).toBe(
      `${start}${added}NextAuth({\n  modules: [password()],\n  providers: [],\n})\n`,
    )
  })
})

test("a module that is used isn't added again", () => {
  expect(changed(`${start}${added}NextAuth({ modules: [password({ minLength: 12 })] })\n`)).toBeUndefined()
})

test("a module that is only imported is added to the list", () => {
  expect(changed(`${start}${added}NextAuth({})\n`)).toBe(`${start}${added}NextAuth({ modules: [password()] })\n`)
})

test("a name that is taken stays as it is", () => {
  const line = 'const password = "sesame"\n'
  expect(changed(`${start}${line}NextAuth({})\n`)).toBe(
    `${start}import { password as passwordModule } from "@latchkey/password"\n${line}NextAuth({ modules: [passwordModule()] })\n`,
  )
})

test.each([
  ["a list that code creates", "NextAuth({ modules: all })", /aren't an array literal[^]*modules: \[…, password\(\)\]/],
  [
    "a function that is passed elsewhere",
    "const config = () => ({ providers: [] })\nNextAuth(config)",
    /is a function[^]*\{ modules: \[password\(\)\] \}/,
  ],
])("%s is left alone, and the error shows the lines to add", (_, text, problem) => {
  expect(() => changed(start + text)).toThrow(problem)
})
