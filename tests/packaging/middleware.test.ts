import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { rolldown } from "rolldown"
import { describe, expect, test } from "vitest"
import { root } from "./compiler.js"

const packages = join(root, "packages")
/** The second factor of the guide. Its stub under `edge-light` is what a module needs. */
const totp = join(root, "examples", "module-totp", "src")

/** The conditions of Next.js for middleware, and those of bundlers for Cloudflare. */
const conditions = { "edge-light": ["edge-light", "browser", "import"], workerd: ["workerd", "browser", "import"] }

/** Folders of core that reading a session doesn't need. Bundlers for the edge include what `import()` names, too. */
const engine = /^core\/src\/(?:account|endpoints|engine|i18n|mail|methods|module(?!\/seam-of\.ts)|pages|signin)\//

interface Bundle {
  /** Of this repository, before the bundler removes unused code. */
  readonly sources: readonly string[]
  /** The files of the example with a module. */
  readonly example: readonly string[]
  /** The size, minified. Packages that aren't of this repository don't count. */
  readonly bytes: number
}

async function bundle(program: string, runtime: keyof typeof conditions): Promise<Bundle> {
  const files: string[] = []
  const build = await rolldown({
    input: "program",
    platform: "neutral",
    tsconfig: false,
    logLevel: "silent",
    resolve: { conditionNames: conditions[runtime] },
    plugins: [
      {
        name: "program",
        resolveId(id) {
          const [, name] = /^@latchkey\/([^/]+)/.exec(id) ?? []
          if (name !== undefined) return this.resolve(id, join(packages, name, "package.json"))
          if (id === "totp") return join(totp, "totp.ts")
          return id === "program" ? id : /^[./#]/.test(id) ? undefined : { id, external: true }
        },
        load: (id) => (id === "program" ? program : undefined),
        moduleParsed: ({ id }) => void files.push(id),
      },
    ],
  })
  const { output } = await build.generate({ format: "esm", codeSplitting: false, minify: true })
  await build.close()
  const example = files.filter((file) => file.startsWith(totp)).map((file) => relative(totp, file))
  return { sources: files.flatMap(sourcesOf), example, bytes: output[0].code.length }
}

/** A built file can be made of many sources. */
function sourcesOf(file: string): readonly string[] {
  if (!existsSync(`${file}.map`)) return []
  const { sources }: { sources: readonly string[] } = JSON.parse(readFileSync(`${file}.map`, "utf8"))
  return sources.map((source) => relative(packages, join(dirname(file), source)))
}

interface Manifest {
  readonly name: string
  readonly exports?: Readonly<Record<string, string | object>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

/** The entries of every package that is tested as an adapter, or keeps other things in a database. */
const adapters = readdirSync(packages).flatMap((folder) => {
  const manifest: Manifest = JSON.parse(readFileSync(join(packages, folder, "package.json"), "utf8"))
  const { name, exports = {}, devDependencies = {} } = manifest
  // The packages of frameworks, the kit for tests and modules only test with it.
  const others = [
    "testing",
    "bearer",
    "api-keys",
    "mfa",
    "password",
    "phone",
    "anonymous",
    "audit",
    "device-bound",
    "logout",
  ]
  const isAdapter =
    "@latchkey/adapter-kit" in devDependencies && !("./providers/*" in exports) && !others.includes(folder)
  if (!isAdapter && folder !== "rate-limit") return []
  return Object.entries(exports).flatMap(([subpath, target]) =>
    typeof target === "string" ? [] : [`${name}${subpath.slice(1)}`],
  )
})

const providers = readdirSync(join(packages, "core", "src", "providers"))
  .filter((name) => /^(?!index\.)[^.]+\.ts$/.test(name))
  .map((name) => `@latchkey/core/providers/${name.replace(".ts", "")}`)

describe.each(["edge-light", "workerd"] as const)("in a bundle for %s", (runtime) => {
  test.each([...providers, ...adapters])("%s comes without the engine, pages and languages", async (entry) => {
    const { sources } = await bundle(`export * from "${entry}"`, runtime)
    expect(sources.length).toBeGreaterThan(0)
    expect(sources.filter((source) => engine.test(source))).toEqual([])
  })
})

describe("middleware of Next.js", () => {
  const middleware = async (imports: string, config: string) =>
    bundle(
      `${imports}\nimport NextAuth from "@latchkey/next"\nexport const { auth: middleware } = NextAuth(${config})`,
      "edge-light",
    )
  const github = `import GitHub from "@latchkey/core/providers/github"`
  const resend = `import Resend from "@latchkey/core/providers/resend"`
  const nodemailer = `import Nodemailer from "@latchkey/core/providers/nodemailer"`
  const adapter = `import { postgres } from "@latchkey/sql/postgres"`

  test.each([
    ["no provider", "", "{ providers: [] }", 112_400],
    ["GitHub", github, "{ providers: [GitHub] }", 115_100],
    ["Resend", resend, "{ providers: [Resend({})] }", 116_200],
    ["Nodemailer", nodemailer, `{ providers: [Nodemailer({ server: "smtp://localhost" })] }`, 115_100],
    [
      "GitHub, Resend and an adapter",
      `${github}\n${resend}\n${adapter}`,
      `{ providers: [GitHub, Resend({})], adapter: postgres("postgres://localhost/app") }`,
      206_100,
    ],
  ])("with %s comes without the engine and stays small", async (_, imports, config, limit) => {
    const { sources, bytes } = await middleware(imports, config)
    expect(sources).toContain("core/src/session-reader.ts")
    expect(sources.filter((source) => engine.test(source))).toEqual([])
    expect(bytes).toBeLessThan(limit)
  })

  test("with passwords comes without what they need, and is at most 1,000 bytes larger", async () => {
    const plain = await middleware("", "{ providers: [] }")
    const config = `{ providers: [], modules: [password()] }`
    const { sources, bytes } = await middleware(`import { password } from "@latchkey/password"`, config)
    expect(sources.filter((source) => source.startsWith("password/")).toSorted()).toEqual([
      "password/src/index.ts",
      "password/src/parts-none.ts",
      "password/src/password.ts",
      "password/src/records-none.ts",
    ])
    expect(bytes - plain.bytes).toBeLessThanOrEqual(1000)
  })

  test.each([
    ["phone", "phone({ send: () => undefined })"],
    ["anonymous", "anonymous()"],
    ["audit", "audit()"],
  ])("with %s comes without what it needs, and is at most 1,000 bytes larger", async (name, module) => {
    const plain = await middleware("", "{ providers: [] }")
    const imports = `import { ${module.replace(/\(.*/, "")} } from "@latchkey/${name}"`
    const { sources, bytes } = await middleware(imports, `{ providers: [], modules: [${module}] }`)
    expect(sources.filter((source) => source.startsWith(`${name}/`)).toSorted()).toEqual(
      [`${name}/src/${name}.ts`, `${name}/src/index.ts`, `${name}/src/parts-none.ts`].toSorted(),
    )
    expect(bytes - plain.bytes).toBeLessThanOrEqual(1000)
  })

  test("with a module comes without what the module does, and is at most 1,000 bytes larger", async () => {
    const plain = await middleware("", "{ providers: [] }")
    const config = `{ providers: [], modules: [totp()] }`
    const { sources, example, bytes } = await middleware(`import { totp } from "totp"`, config)
    expect(example.toSorted()).toEqual(["parts-none.ts", "totp.ts"])
    const added = sources.filter((source) => !plain.sources.includes(source))
    expect(added.toSorted()).toEqual([
      "core/src/module-kit/companion.ts",
      "core/src/module-kit/define.ts",
      "core/src/module-kit/fields.ts",
      "core/src/module-kit/proven.ts",
      "core/src/module-kit/seam/refused.ts",
    ])
    expect(bytes - plain.bytes).toBeLessThanOrEqual(1000)
  })

  test("with second factors comes without pages, codes and languages of them", async () => {
    const plain = await middleware("", "{ providers: [] }")
    const imports = 'import { mfa } from "@latchkey/mfa"'
    const { sources, bytes } = await middleware(imports, "{ providers: [], modules: [mfa()] }")
    const own = sources.filter((source) => source.startsWith("mfa/"))
    expect(own.toSorted()).toEqual(["mfa/src/index.ts", "mfa/src/parts-none.ts"])
    expect(sources.filter((source) => engine.test(source))).toEqual([])
    expect(bytes - plain.bytes).toBeLessThanOrEqual(1000)
  })

  test("with API keys comes without what creates and verifies them", async () => {
    const plain = await middleware("", "{ providers: [] }")
    const imports = 'import { apiKeys } from "@latchkey/api-keys"'
    const { sources, bytes } = await middleware(imports, '{ providers: [], modules: [apiKeys({ prefix: "acme" })] }')
    const own = sources.filter((source) => source.startsWith("api-keys/"))
    expect(own.toSorted()).toEqual(["api-keys/src/index.ts", "api-keys/src/parts-none.ts"])
    expect(sources.filter((source) => engine.test(source))).toEqual([])
    expect(bytes - plain.bytes).toBeLessThanOrEqual(1000)
  })

  test("with sign-out at providers comes without what ends sessions", async () => {
    const plain = await middleware("", "{ providers: [] }")
    const imports = 'import { logout } from "@latchkey/logout"'
    const { sources, bytes } = await middleware(imports, "{ providers: [], modules: [logout()] }")
    const own = sources.filter((source) => source.startsWith("logout/"))
    expect(own.toSorted()).toEqual(["logout/src/index.ts", "logout/src/parts-none.ts"])
    expect(sources.filter((source) => engine.test(source))).toEqual([])
    expect(bytes - plain.bytes).toBeLessThanOrEqual(1000)
  })

  test("with access tokens comes with their verifier, and with nothing that makes them", async () => {
    const plain = await middleware("", "{ providers: [] }")
    const config = `{ providers: [], modules: [bearer({ audiences: ["https://app.test"] })] }`
    const { sources, bytes } = await middleware('import { bearer } from "@latchkey/bearer"', config)
    const own = sources.filter((source) => source.startsWith("bearer/"))
    expect(own.toSorted()).toEqual([
      "bearer/src/header.ts",
      "bearer/src/index.ts",
      "bearer/src/parts-none.ts",
      "bearer/src/reader.ts",
      "bearer/src/site.ts",
      "bearer/src/verify/verify.ts",
    ])
    expect(sources.filter((source) => engine.test(source))).toEqual([])
    expect(bytes - plain.bytes).toBeLessThanOrEqual(6000)
  })
})

describe.each(["edge-light", "workerd"] as const)("a server in a bundle for %s", (runtime) => {
  const server = async (imports: string, options: string) => {
    const providers = `[Credentials({ credentials: {}, authorize: () => null }), { id: "op", name: "Acme", type: "oidc" }]`
    return bundle(
      `${imports}\nimport { createAuth } from "@latchkey/hono"\nimport Credentials from "@latchkey/core/providers/credentials"
      export const auth = createAuth({ providers: ${providers}, ${options} })`,
      runtime,
    )
  }
  const german = 'import { german } from "@latchkey/core/languages/de"'

  test.each([
    ["no other language than English", "", "", ["en"], 480_800],
    [
      "the languages that the configuration imports",
      german,
      "i18n: { messages: { de: german } }",
      ["de", "en"],
      495_100,
    ],
  ])("has %s", async (_, imports, options, languages, limit) => {
    const { sources, bytes } = await server(imports, options)
    const folder = "core/src/i18n/languages/"
    const found = sources.filter((source) => source.startsWith(folder)).map((source) => source.slice(folder.length, -3))
    expect(found.toSorted()).toEqual(languages)
    expect(bytes).toBeLessThan(limit)
  })
})
