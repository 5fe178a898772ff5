import { readdirSync } from "node:fs"
import { cp } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import {
  type Compiler,
  complaints,
  folderOfItsOwn,
  installed,
  link,
  publish,
  root,
  tsconfigOfNext,
  write,
} from "./installed.js"

const examples = join(root, "packages/next/test/examples")
const names = readdirSync(examples)

/** What `npm install next-auth@npm:@latchkey/next` would put there. */
const ours = join(root, "packages/next")
const theirs = join(installed, "next-auth")

/** The program in an installation of its own: some of them extend the same interfaces. */
async function complaintsAbout(name: string, nextAuth: string, compiler: Compiler, options = {}): Promise<string> {
  const folder = await folderOfItsOwn()
  await cp(join(examples, name), folder, { recursive: true })
  const others = ["@types", "next", "next-intl", "react", "react-dom"].map((other) => [other, join(installed, other)])
  await link(join(folder, "node_modules"), { "next-auth": nextAuth, ...Object.fromEntries(others) })
  const { compilerOptions, ...files } = tsconfigOfNext
  await write(folder, {
    "next-env.d.ts": `/// <reference types="next" />\n`,
    "tsconfig.json": JSON.stringify({ ...files, compilerOptions: { ...compilerOptions, ...options } }),
  })
  return complaints(folder, compiler)
}

describe.each(names)("the program %s, written for next-auth 5,", (name) => {
  test("compiles against next-auth", async () => {
    expect(await complaintsAbout(name, theirs, "TypeScript 7")).toBe("")
  })

  test("compiles unchanged against @latchkey/next", async () => {
    expect(await complaintsAbout(name, ours, "TypeScript 7")).toBe("")
  })
})

describe.each([14, 15])("beside Next.js %i", (major) => {
  test.each(["handlers", "roles"])("%s compiles as well", async (name) => {
    const folder = await folderOfItsOwn()
    const modules = join(folder, "node_modules")
    await cp(join(examples, name), folder, { recursive: true })
    // Copies: a link would lead to the Next.js that this repository has.
    await publish("next", join(modules, "next-auth"))
    for (const short of ["core", "client", "react"]) await publish(short, join(modules, "@latchkey", short))
    const beside = join(root, `tests/next/with-${major}/node_modules`)
    const others = ["@types", "next", "react", "react-dom"].map((other) => [other, join(beside, other)])
    await link(modules, Object.fromEntries(others))
    await write(folder, { "tsconfig.json": JSON.stringify(tsconfigOfNext) })
    expect(await complaints(folder, "TypeScript 7")).toBe("")
  })
})

test.each(["usual", "pages"])("so does %s with the compiler that Next.js installs", async (name) => {
  expect(await complaintsAbout(name, ours, "TypeScript 6")).toBe("")
})

test("our own declarations hold when the compiler looks into them", async () => {
  expect(await complaintsAbout("usual", ours, "TypeScript 7", { skipLibCheck: false })).toBe("")
})

test("and under stricter settings than an application has", async () => {
  const strictest = {
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noPropertyAccessFromIndexSignature: false,
  }
  expect(await complaintsAbout("split", ours, "TypeScript 7", strictest)).toBe("")
})

test("what does not exist in next-auth is not taken for something", async () => {
  const folder = await folderOfItsOwn()
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
  const words = await complaints(folder, "TypeScript 7")
  expect(words).toContain("getServerSession")
  expect(words).toContain("sesion")
})
