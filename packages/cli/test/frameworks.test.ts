import { spawn } from "node:child_process"
import { once } from "node:events"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { application, jsonOf, latchkey, manifest, read, root, write } from "./latchkey.js"

/** The files of each framework's example that `init` writes. */
const files = JSON.parse(readFileSync(join(root, "packages/cli/init-files.json"), "utf8")) as Record<string, string[]>

/** The packages that make `init` detect the framework. */
const dependencies: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  astro: { astro: "^7.3.5" },
  elysia: { elysia: "^1.4.30" },
  express: { express: "^5.3.0" },
  fastify: { fastify: "^5.12.8" },
  hono: { hono: "^4.13.19", "@hono/node-server": "^2.1.8" },
  nestjs: { "@nestjs/core": "^12.5.1", "@nestjs/platform-express": "^12.5.1" },
  node: { "@latchkey/node": "^0.1.0" },
  nuxt: { nuxt: "^4.5.2" },
  "react-router": { "react-router": "^8.4.0", "@react-router/dev": "^8.4.0" },
  "solid-start": { "@solidjs/start": "^2.0.5" },
  sveltekit: { "@sveltejs/kit": "^3.2.0" },
  "tanstack-start": { "@tanstack/react-start": "^1.169.5" },
}

const ids = Object.keys(files)

/** examples/sveltekit is a whole product. */
const exampleFolder = (id: string) => join(root, "examples", id === "sveltekit" ? "sveltekit-custom" : id)

function exampleFile(id: string, path: string): string {
  return readFileSync(join(exampleFolder(id), path), "utf8")
}

/** An empty application of the framework, with the packages of its example. */
async function emptyApplication(id: string, more: Readonly<Record<string, string>> = {}): Promise<string> {
  const modules = join(exampleFolder(id), "node_modules")
  const names = readdirSync(modules).flatMap((name) =>
    name.startsWith("@") ? readdirSync(join(modules, name)).map((one) => `${name}/${one}`) : [name],
  )
  const linked = names.filter((name) => !name.startsWith(".")).map((name) => [name, join(modules, name)])
  const needed = { "package.json": manifest(dependencies[id] ?? {}), "src/.keep": "" }
  return application({ ...needed, ...more }, Object.fromEntries(linked) as Record<string, string>)
}

/** A TypeScript configuration that is as strict as that of the example. */
const tsconfig = JSON.stringify({
  compilerOptions: {
    target: "ES2023",
    module: "esnext",
    moduleResolution: "bundler",
    lib: ["ES2023", "DOM", "DOM.Iterable"],
    jsx: "preserve",
    strict: true,
    exactOptionalPropertyTypes: true,
    allowImportingTsExtensions: true,
    noEmit: true,
    skipLibCheck: true,
    types: ["node"],
  },
})

async function compile(folder: string, paths: readonly string[]): Promise<string> {
  const compiler = join(root, "node_modules/typescript/bin/tsc")
  await write(folder, "tsconfig.check.json", JSON.stringify({ extends: "./tsconfig.json", files: paths }))
  const child = spawn(process.execPath, [compiler, "-p", "tsconfig.check.json"], { cwd: folder })
  let output = ""
  child.stdout.on("data", (part) => (output += String(part)))
  await once(child, "close")
  return output
}

describe.each(ids)("latchkey in an application of %s", (id) => {
  const configuration = files[id]?.find((path) => path.endsWith("auth.config.ts")) ?? ""

  test("init writes the files of the example, and its configuration without the demo users", async () => {
    const folder = await emptyApplication(id, { "tsconfig.json": tsconfig })
    const report = jsonOf(await latchkey(folder, ["init", "--provider", "github", "--json"]))
    expect(report).toMatchObject({ ok: true, framework: id })
    for (const path of files[id] ?? []) {
      const text = (await read(folder, path)).replaceAll(/^ +AUTH_GITHUB_\w+: .*\n/gm, "")
      if (path !== configuration) expect(text, path).toBe(exampleFile(id, path))
    }
    const text = await read(folder, configuration)
    expect(text).toContain("providers: [GitHub],\n} satisfies AuthConfig\n")
    expect(exampleFile(id, configuration)).toMatch(/export const authConfig = \{\n {2}security: "strict",/)
    expect(JSON.parse(await read(folder, "package.json"))).toHaveProperty(["dependencies", `@latchkey/${id}`], "^0.1.0")
  })

  test("the written files compile", async () => {
    const folder = await emptyApplication(id, { "tsconfig.json": tsconfig })
    await latchkey(folder, ["init", "--provider", "github", "apple"])
    // The others need types that the framework generates.
    const compiled = (files[id] ?? []).filter((path) => /(?:^|\/)(?!middleware\/)\w+\/auth(?:\.\w+)?\.ts$/.test(path))
    expect(await compile(folder, compiled)).toBe("")
  })

  test("doctor runs the configuration, and finds what serves the routes", async () => {
    const folder = await emptyApplication(id, { "tsconfig.json": tsconfig })
    const report = jsonOf(await latchkey(folder, ["init", "--provider", "github", "--json"]))
    const additions = report["additions"] as readonly { file: string; lines: readonly string[] }[]
    const [first] = additions
    // What `init` asks for, in the file that it names.
    if (first !== undefined)
      await write(folder, first.file.includes(" ") ? "src/app.ts" : first.file, first.lines.join("\n"))
    const env = { AUTH_GITHUB_ID: "a", AUTH_GITHUB_SECRET: "b" }
    const { findings } = jsonOf(await latchkey(folder, ["doctor", "--offline", "--json"], { env })) as {
      findings: readonly { check: string; status: string; message: string }[]
    }
    const finding = (check: string) => findings.find((one) => one.check === check)
    expect(findings.filter(({ status }) => status !== "ok")).toEqual([])
    expect(finding("configuration")?.message).toBe("no problems")
    expect(finding("routes")?.message).toMatch(/^served by /)
    expect(finding("provider github")?.message).toMatch(
      /^redirect URI http:\/\/localhost:\d+(?:\/api)?\/auth\/callback\/github$/,
    )
  })
})

test.each(ids.filter((id) => id !== "nestjs"))(
  "init writes JavaScript for %s without a tsconfig.json, and add finds its configuration",
  async (id) => {
    const folder = await emptyApplication(id)
    await latchkey(folder, ["init"])
    const path = files[id]?.find((one) => one.endsWith("auth.config.ts"))?.replace(/ts$/, "js") ?? ""
    expect(await read(folder, path)).toContain('/** @satisfies {import("@latchkey/core").AuthConfig} */\nexport const')
    expect((await latchkey(folder, ["add", "github"])).code).toBe(0)
    expect(await read(folder, path)).toContain("providers: [GitHub],")
  },
)

test("init refuses NestJS without TypeScript", async () => {
  const { code, stderr } = await latchkey(await emptyApplication("nestjs"), ["init"])
  expect(stderr).toContain("need TypeScript")
  expect(code).toBe(1)
})

describe("latchkey in an application of SvelteKit", () => {
  const hooks = "export const handle = ({ event, resolve }) => resolve(event)\n"

  test("init keeps files that every application may have, and shows what to add to them", async () => {
    const folder = await emptyApplication("sveltekit", { "tsconfig.json": tsconfig, "src/hooks.server.ts": hooks })
    const report = jsonOf(await latchkey(folder, ["init", "--json"]))
    expect(await read(folder, "src/hooks.server.ts")).toBe(hooks)
    expect(report["written"]).not.toContain("src/hooks.server.ts")
    expect(report["additions"]).toContainEqual({
      file: "src/hooks.server.ts",
      lines: expect.arrayContaining(["export const handle = sequence(auth, yours)"]) as unknown,
    })
  })

  test("declares the variables of providers in SvelteKit 3, which has no others", async () => {
    const folder = await emptyApplication("sveltekit", { "tsconfig.json": tsconfig })
    await latchkey(folder, ["init", "--provider", "github"])
    await latchkey(folder, ["add", "google"])
    const text = await read(folder, "src/env.ts")
    for (const name of ["AUTH_GITHUB_ID", "AUTH_GITHUB_SECRET", "AUTH_GOOGLE_ID", "AUTH_GOOGLE_SECRET"])
      expect(text).toContain(`\n  ${name}: optional,\n`)
  })

  test.each([
    ["2", "^2.63.0", "ORIGIN=https://app.example node build"],
    ["3", "^3.2.0", 'sveltekit({ adapter: node(), paths: { origin: "https://app.example" } })'],
  ])("init and doctor say how the server of SvelteKit %s learns its origin", async (_, range, line) => {
    const folder = await application({
      "package.json": manifest({ "@sveltejs/kit": range, "@sveltejs/adapter-node": "*" }),
      "tsconfig.json": tsconfig,
    })
    const { additions } = jsonOf(await latchkey(folder, ["init", "--json"]))
    expect(JSON.stringify(additions)).toContain(JSON.stringify(line).slice(1, -1))
    const forms = async (env: Readonly<Record<string, string>> = {}) => {
      const { findings } = jsonOf(await latchkey(folder, ["doctor", "--json", "--offline"], { env }))
      return (findings as { check: string; status: string }[]).filter(({ check }) => check === "forms")
    }
    expect(await forms()).toMatchObject([{ status: "warning", message: expect.stringContaining("403") }])
    expect(await forms({ ORIGIN: "https://app.example" })).toMatchObject([{ status: "ok" }])
  })

  test("init writes no declarations in SvelteKit 2", async () => {
    const folder = await application({
      "package.json": manifest({ "@sveltejs/kit": "^2.63.0" }),
      "tsconfig.json": tsconfig,
    })
    expect(jsonOf(await latchkey(folder, ["init", "--json"]))["written"]).not.toContain("src/env.ts")
  })
})

describe("an application whose tsconfig.json extends a file that doesn't exist yet", () => {
  test("doctor runs the configuration", async () => {
    const folder = await emptyApplication("sveltekit", {
      "tsconfig.json": '{ "extends": "./.svelte-kit/tsconfig.json" }',
    })
    await latchkey(folder, ["init"])
    expect((await latchkey(folder, ["doctor", "--offline"])).stdout).toMatch(/✔ configuration +no problems/)
  })
})

describe("an import of another file in a server", () => {
  const runs = { start: "node --env-file=.env src/server.ts" }
  const tests = { start: "node dist/server.js", test: 'node --test -r ts-node/register "test/**/*.ts"' }
  const base = JSON.stringify({ compilerOptions: { rewriteRelativeImportExtensions: true } })

  test.each([
    { title: "Node.js runs the server as TypeScript", scripts: runs, config: "{}", ending: ".ts" },
    { title: "only the tests run as TypeScript", scripts: tests, config: "{}", ending: ".js" },
    { title: "tsconfig.json allows it", scripts: tests, config: base, ending: ".ts" },
    {
      title: "a file that tsconfig.json extends allows it",
      scripts: tests,
      config: '{"extends":"./base.json"}',
      ending: ".ts",
    },
  ])("ends with $ending if $title", async ({ scripts, config, ending }) => {
    const folder = await application({
      "package.json": manifest({ express: "5.3.0" }, { scripts }),
      "tsconfig.json": config,
      "base.json": base,
      "src/server.ts": "",
    })
    const { stdout } = await latchkey(folder, ["init"])
    expect(await read(folder, "src/auth.ts")).toContain(`from "./auth.config${ending}"`)
    expect(stdout).toContain(`import { auth } from "./auth${ending}"`)
  })
})
