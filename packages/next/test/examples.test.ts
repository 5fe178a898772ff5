import { readdirSync, realpathSync } from "node:fs"
import { cp } from "node:fs/promises"
import { dirname, join } from "node:path"
import { describe, expect, test } from "vitest"
import {
  type Compiler,
  compileErrors,
  temporaryFolder,
  installed,
  link,
  publish,
  root,
  tsconfigOfNext,
  write,
} from "./installed.js"

const examples = join(root, "packages/next/test/examples")
const names = readdirSync(examples)

/** The package that `npm install next-auth@npm:@latchkey/next` installs. */
const ours = join(root, "packages/next")
const theirs = join(installed, "next-auth")
/** Some programs import the core package, which their application then has under a name of its own. */
const cores = {
  [ours]: join(root, "packages/core"),
  [theirs]: join(dirname(realpathSync(theirs)), "@auth/core"),
}

/** Compiles a program in its own folder, because some of them augment the same interfaces. */
async function compileErrorsOf(name: string, nextAuth: string, compiler: Compiler, options = {}): Promise<string> {
  const folder = await temporaryFolder()
  await cp(join(examples, name), folder, { recursive: true })
  const others = ["@types", "next", "next-intl", "react", "react-dom"].map((other) => [other, join(installed, other)])
  const packages = { "next-auth": nextAuth, "@auth/core": cores[nextAuth] ?? "" }
  await link(join(folder, "node_modules"), { ...packages, ...Object.fromEntries(others) })
  const { compilerOptions, ...files } = tsconfigOfNext
  await write(folder, {
    "next-env.d.ts": `/// <reference types="next" />\n`,
    "tsconfig.json": JSON.stringify({ ...files, compilerOptions: { ...compilerOptions, ...options } }),
  })
  return compileErrors(folder, compiler)
}

describe.each(names)("the program %s, written for next-auth 5,", (name) => {
  test("compiles against next-auth", async () => {
    expect(await compileErrorsOf(name, theirs, "TypeScript 7")).toBe("")
  })

  test("compiles unchanged against @latchkey/next", async () => {
    expect(await compileErrorsOf(name, ours, "TypeScript 7")).toBe("")
  })
})

describe.each([14, 15])("with Next.js %i", (major) => {
  test.each(["handlers", "roles"])("%s compiles", async (name) => {
    const folder = await temporaryFolder()
    const modules = join(folder, "node_modules")
    await cp(join(examples, name), folder, { recursive: true })
    // Copies, because a link would resolve to this repository's own Next.js.
    await publish("next", join(modules, "next-auth"))
    for (const short of ["core", "client", "react"]) await publish(short, join(modules, "@latchkey", short))
    const modulesOfMajor = join(root, `tests/next/with-${major}/node_modules`)
    const others = ["@types", "next", "react", "react-dom"].map((other) => [other, join(modulesOfMajor, other)])
    await link(modules, Object.fromEntries(others))
    await write(folder, { "tsconfig.json": JSON.stringify(tsconfigOfNext) })
    expect(await compileErrors(folder, "TypeScript 7")).toBe("")
  })
})

test.each(["usual", "pages"])("%s compiles with the compiler that Next.js installs", async (name) => {
  expect(await compileErrorsOf(name, ours, "TypeScript 6")).toBe("")
})

test("our declarations compile without skipLibCheck", async () => {
  expect(await compileErrorsOf("usual", ours, "TypeScript 7", { skipLibCheck: false })).toBe("")
})

test("programs compile under stricter settings than the default", async () => {
  const strictest = {
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noPropertyAccessFromIndexSignature: false,
  }
  expect(await compileErrorsOf("split", ours, "TypeScript 7", strictest)).toBe("")
})

test("an option or function that doesn't exist is a compile error", async () => {
  const folder = await temporaryFolder()
  await link(join(folder, "node_modules"), {
    "next-auth": ours,
    next: join(installed, "next"),
    "@types": join(installed, "@types"),
  })
  await write(folder, {
    "tsconfig.json": JSON.stringify({ ...tsconfigOfNext, include: ["*.ts"] }),
    "auth.ts":
      'import NextAuth from "next-auth"\nexport const { getServerSession } = NextAuth({ providers: [], sesion: {} })\n',
  })
  const errors = await compileErrors(folder, "TypeScript 7")
  expect(errors).toContain("getServerSession")
  expect(errors).toContain("sesion")
})
