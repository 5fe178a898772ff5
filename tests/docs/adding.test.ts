import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { parseFacts } from "../../packages/core/test/providers/facts.js"
import type { Factory } from "../../packages/core/test/providers/provider.js"
import { outcome, signIn } from "../../packages/core/test/providers/sign-in.js"

interface Documented {
  readonly entry: { readonly module: string; readonly id: string }
  readonly guide: string
}

interface Package {
  readonly folder: string
  readonly short: string
  readonly manifest: { readonly name: string }
}

interface Tools {
  readProviders(folder: string): Promise<readonly Documented[]>
  builtInId(entries: readonly object[]): string
  toMarkdown(providers: readonly Documented[]): string
  packages(): readonly Package[]
  reexportsOf(pkg: Package, core?: string): readonly { readonly specifier: string; readonly from: string }[]
}

const root = fileURLToPath(new URL("../../", import.meta.url))

/** The tools are JavaScript, so this program doesn't see their types. */
async function tool<K extends keyof Tools>(path: string): Promise<Pick<Tools, K>> {
  return (await import(/* @vite-ignore */ join(root, "tools", path))) as Pick<Tools, K>
}

/** The code blocks of a page, by language. */
function blocksOf(page: string): (language: string, index?: number) => string {
  const text = readFileSync(join(root, "docs", page), "utf8")
  return (language, index = 0) =>
    [...text.matchAll(/^```(\w+)[^\n]*\n(.*?)^```/gms)].filter(([, name]) => name === language)[index]?.[2] ?? ""
}

const provider = blocksOf("contributing/adding-a-provider.md")
const folder = mkdtempSync(join(tmpdir(), "latchkey-adding-"))
const core = join(folder, "core")
const source = join(core, "src", "providers", "acme.ts")

/** A copy of core with one provider more. The other files are links. */
beforeAll(() => {
  const original = join(root, "packages", "core")
  mkdirSync(join(core, "src", "providers"), { recursive: true })
  linkAll(join(original, "src"), join(core, "src"), "providers")
  linkAll(join(original, "src", "providers"), join(core, "src", "providers"))
  symlinkSync(join(original, "package.json"), join(core, "package.json"))
  writeFileSync(source, provider("ts"))
})

afterAll(() => rmSync(folder, { recursive: true }))

/** The sources that the `imports` of core lead to once they're built. */
function sources(): Record<string, string[]> {
  const manifest: unknown = JSON.parse(readFileSync(join(core, "package.json"), "utf8"))
  const { imports } = manifest as { readonly imports: Readonly<Record<string, { readonly default: string }>> }
  const sourceOf = (built: string) => join(core, built.replace("./dist/", "src/").replace(/\.js$/, ".ts"))
  return Object.fromEntries(Object.entries(imports).map(([name, target]) => [name, [sourceOf(target.default)]]))
}

function linkAll(from: string, to: string, except?: string): void {
  for (const name of readdirSync(from)) if (name !== except) symlinkSync(join(from, name), join(to, name))
}

describe("the provider of docs/contributing/adding-a-provider.md", () => {
  test("compiles", () => {
    const compilerOptions = { noEmit: true, composite: false, incremental: false, types: ["node"], paths: sources() }
    const config = { extends: join(root, "tsconfig.base.json"), compilerOptions, files: [source] }
    const file = join(root, "node_modules", ".cache", "adding-a-provider.json")
    mkdirSync(join(file, ".."), { recursive: true })
    writeFileSync(file, JSON.stringify(config))
    execFileSync(join(root, "node_modules", ".bin", "tsc"), ["-p", file], { stdio: "pipe" })
  })

  test("is in the catalogue and among the built-in ids", async () => {
    const { readProviders } = await tool<"readProviders">("providers.mjs")
    const { builtInId } = await tool<"builtInId">("commands/generate.mjs")
    const entries = (await readProviders(join(core, "src", "providers"))).map(({ entry }) => entry)
    expect(entries.find(({ module }) => module === "acme")).toEqual({
      id: "acme",
      name: "Acme",
      type: "oauth",
      module: "acme",
      exportName: "Acme",
      needs: [],
      options: [],
      issuer: "https://acme.example",
      env: { clientId: "AUTH_ACME_ID", clientSecret: "AUTH_ACME_SECRET", issuer: "AUTH_ACME_ISSUER" },
      deprecated: false,
      docs: "https://acme.example/docs/oauth",
    })
    expect(builtInId(entries)).toContain('| "acme"\n')
  })

  test("is on the page of all providers", async () => {
    const { readProviders } = await tool<"readProviders">("providers.mjs")
    const { toMarkdown } = await tool<"toMarkdown">("catalogue-pages.mjs")
    expect(toMarkdown(await readProviders(join(core, "src", "providers")))).toContain("## Acme\n")
  })

  test("is in every package that re-exports providers", async () => {
    const { packages, reexportsOf } = await tool<"packages" | "reexportsOf">("workspace.mjs")
    const specifiers = packages().flatMap((pkg) => reexportsOf(pkg, core).map(({ specifier }) => specifier))
    const endingWith = (end: string) => specifiers.filter((specifier) => specifier.endsWith(end))
    expect(endingWith("/providers/acme").length).toBe(endingWith("/providers/anilist").length)
    expect(endingWith("/providers/acme")).toContain("@latchkey/next/providers/acme")
  })

  test("signs a user in", async () => {
    const loaded: unknown = await import(/* @vite-ignore */ source)
    const { default: factory } = loaded as { default: Factory }
    const facts = parseFacts("acme", provider("json"))
    const { browser, service, log } = await signIn(facts, { factory })
    expect(service.mismatches).toEqual([])
    expect(outcome(browser, log)).toBe("https://app.test/")
    expect(await browser.session()).toMatchObject({ user: { name: "jane" } })
  })

  test("has a logo", () => {
    expect(provider("svg")).toMatch(/^<svg [^>]*viewBox="0 0 24 24"/)
  })
})

describe("the package of docs/contributing/adding-a-framework.md", () => {
  test("has all providers without a file for any of them", async () => {
    const { packages, reexportsOf } = await tool<"packages" | "reexportsOf">("workspace.mjs")
    const manifest = JSON.parse(blocksOf("contributing/adding-a-framework.md")("json"))
    const acme: Package = { folder: join(folder, "acme"), short: "acme", manifest }
    const reexportsIn = (pkg: Package) => reexportsOf(pkg).map(({ from }) => from)
    const express = packages().filter(({ short }) => short === "express")
    expect(express.map(reexportsIn)).toEqual([reexportsIn(acme)])
    expect(reexportsIn(acme)).toContain("@latchkey/core/providers/github")
  })
})

describe("in the repository", () => {
  const files = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).trim().split("\n")

  test("no file lists all providers", async () => {
    const { readProviders } = await tool<"readProviders">("providers.mjs")
    const modules = (await readProviders(join(root, "packages/core/src/providers"))).map(({ entry }) => entry.module)
    const text = files.filter((file) => /\.(?:[cm]?[jt]sx?|json|md|yaml)$/.test(file))
    const lists = text.filter((file) => {
      const words = new Set(readFileSync(join(root, file), "utf8").match(/[\w-]+/g))
      return modules.every((module) => words.has(module))
    })
    expect(lists).toEqual([])
  })

  test("only tsconfig.json names the folder of a framework package", () => {
    const settings = files.filter((file) => /^(?:tools|\.ci)\/|^[^/]+\.(?:json|ts|mjs|yaml)$/.test(file))
    const naming = settings.filter((file) => readFileSync(join(root, file), "utf8").includes("packages/express"))
    expect(naming.filter((file) => file !== "pnpm-lock.yaml")).toEqual(["tsconfig.json"])
  })
})
