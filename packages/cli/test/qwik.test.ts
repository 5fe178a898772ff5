import { describe, expect, test } from "vitest"
import { application, besideQwik, filesOf, jsonOf, latchkey, manifest, read } from "./latchkey.js"

const version1 = { "@builder.io/qwik": "^1.20.1", "@builder.io/qwik-city": "^1.20.1" }
const version2 = { "@qwik.dev/core": "^2.0.0", "@qwik.dev/router": "^2.0.0" }
const plugin = "src/routes/plugin@auth.ts"

/** A package.json like those of Qwik's starter, which lists everything as a development dependency. */
function starter(packages: Readonly<Record<string, string>>): string {
  return manifest({}, { devDependencies: packages, scripts: { dev: "vite --mode ssr" } })
}

describe("latchkey init in a Qwik application", () => {
  test.each([
    ["1", version1, '"@builder.io/qwik"', '"@builder.io/qwik-city"'],
    ["2", version2, '"@qwik.dev/core"', '"@qwik.dev/router"'],
  ])("writes the plugin and a page for Qwik %s", async (_, packages, core, router) => {
    const folder = await application({ "package.json": starter(packages), "tsconfig.json": "{}" })
    const report = jsonOf(await latchkey(folder, ["init", "--provider", "github", "--json"]))
    expect(report).toMatchObject({
      ok: true,
      framework: "qwik",
      written: [plugin, "src/routes/account/index.tsx", "package.json", ".env.local"],
    })
    expect(await read(folder, plugin)).toBe(`import { QwikAuth$ } from "@latchkey/qwik"
import GitHub from "@latchkey/qwik/providers/github"

export const { onRequest, requireSession, useSession, useSignIn, useSignOut } = QwikAuth$(() => ({
  security: "strict",
  providers: [GitHub],
}))
`)
    const page = await read(folder, "src/routes/account/index.tsx")
    expect(page).toContain(`import { component$ } from ${core}`)
    expect(page).toContain(`import { Form, type RequestHandler } from ${router}`)
    expect(await read(folder, ".env.local")).toMatch(/^AUTH_SECRET=".{44}"\nAUTH_GITHUB_ID=\nAUTH_GITHUB_SECRET=\n$/)
    expect(JSON.parse(await read(folder, "package.json"))).toMatchObject({
      dependencies: {},
      devDependencies: { ...packages, "@latchkey/qwik": "^0.1.0" },
    })
  })

  test("says where the sign-in page is", async () => {
    const folder = await application({ "package.json": starter(version1) })
    expect((await latchkey(folder, ["init"])).stdout).toContain("Then open http://localhost:5173/auth/signin")
  })

  test("writes JavaScript without a tsconfig.json, and uses the folder of the routes", async () => {
    const folder = await application({
      "package.json": starter(version2),
      "vite.config.js": 'export default { plugins: [qwikRouter({ routesDir: "./app/pages/" })] }\n',
    })
    expect((await latchkey(folder, ["init"])).code).toBe(0)
    expect(await read(folder, "app/pages/plugin@auth.js")).toContain("QwikAuth$(() => ({")
    const page = await read(folder, "app/pages/account/index.jsx")
    expect(page).toContain("export const onRequest = async (event) => {")
    expect(page).not.toContain("RequestHandler")
  })

  test("writes no file if the plugin exists already", async () => {
    const folder = await application({ "package.json": starter(version1), [plugin]: "// mine\n" })
    const before = await filesOf(folder)
    const { code, stderr } = await latchkey(folder, ["init"])
    expect(code).toBe(1)
    expect(stderr).toContain(plugin)
    expect(await filesOf(folder)).toEqual(before)
  })
})

/** @param call the call of `QwikAuth$`, or of `QwikAuthQrl` */
function configured(call: string, from = "@latchkey/qwik"): string {
  return `import { QwikAuth$ } from "${from}"\n\nexport const { onRequest, useSession, useSignIn, useSignOut } = ${call}\n`
}

describe("latchkey add in a Qwik application", () => {
  test.each([
    ["QwikAuth$(() => ({ providers: [] }))", "QwikAuth$(() => ({ providers: [GitHub] }))"],
    ["QwikAuth$(({ env }) => ({ providers: [] }))", "QwikAuth$(({ env }) => ({ providers: [GitHub] }))"],
    [
      "QwikAuth$((event) => {\n  return { providers: [] }\n})",
      "QwikAuth$((event) => {\n  return { providers: [GitHub] }\n})",
    ],
    ["QwikAuth$(async () => ({ providers: [] }))", "QwikAuth$(async () => ({ providers: [GitHub] }))"],
    [
      "QwikAuth$(function () { return { providers: [] } })",
      "QwikAuth$(function () { return { providers: [GitHub] } })",
    ],
  ])("adds a provider to %s", async (before, after) => {
    const folder = await application({ "package.json": starter(version1), [plugin]: configured(before) })
    const { code, stdout } = await latchkey(folder, ["add", "github"])
    expect(code).toBe(0)
    expect(await read(folder, plugin)).toContain(after)
    expect(await read(folder, plugin)).toContain('import GitHub from "@latchkey/qwik/providers/github"\n')
    expect(stdout).toContain("http://localhost:5173/auth/callback/github")
    expect(await read(folder, ".env.local")).toBe("AUTH_GITHUB_ID=\nAUTH_GITHUB_SECRET=\n")
  })

  test("writes values that Vite doesn't expand", async () => {
    const folder = await application({
      "package.json": starter(version1),
      [plugin]: configured("QwikAuth$(() => ({ providers: [] }))"),
    })
    await latchkey(folder, ["add", "github", "--client-id", "a", "--client-secret-stdin"], { input: "sesame $HOME\n" })
    expect(await read(folder, ".env.local")).toContain('AUTH_GITHUB_SECRET="sesame \\$HOME"')
  })

  test.each([
    ["() => ({ providers: [] })", "({ env }) => ({ providers: [", "env.get"],
    ["({ env }) => ({ providers: [] })", "({ env }) => ({ providers: [", "env.get"],
    ["({ env: e }) => ({ providers: [] })", "({ env: e }) => ({ providers: [", "e.get"],
    ["({ url }) => ({ providers: [] })", "({ env, url }) => ({ providers: [", "env.get"],
    ["({}) => ({ providers: [] })", "({ env }) => ({ providers: [", "env.get"],
    ["(event) => ({ providers: [] })", "(event) => ({ providers: [", "event.env.get"],
    ["event => ({ providers: [] })", "event => ({ providers: [", "event.env.get"],
    ["async () => { return { providers: [] } }", "async ({ env }) => { return { providers: [", "env.get"],
    ["function () { return { providers: [] } }", "function ({ env }) { return { providers: [", "env.get"],
  ])("reads options from the request in %s", async (before, start, read_) => {
    const folder = await application({
      "package.json": starter(version1),
      [plugin]: configured(`QwikAuth$(${before})`),
    })
    await latchkey(folder, ["add", "apple"])
    const text = await read(folder, plugin)
    expect(text).toContain(
      `QwikAuth$(${start}Apple({ teamId: ${read_}("AUTH_APPLE_TEAM_ID") ?? "", keyId: ${read_}("AUTH_APPLE_KEY_ID") ?? "" })]`,
    )
    expect(text).not.toContain("process.env")
  })

  test("reads options from the process if the configuration is outside of the function", async () => {
    const text = `import { QwikAuth$, type QwikAuthConfig } from "@latchkey/qwik"\nconst config: QwikAuthConfig = { providers: [] }\nexport const { onRequest } = QwikAuth$(() => config)\n`
    const folder = await application({ "package.json": starter(version1), [plugin]: text })
    await latchkey(folder, ["add", "apple"])
    expect(await read(folder, plugin)).toContain("teamId: process.env.AUTH_APPLE_TEAM_ID")
  })

  test("adds a passkey", async () => {
    const call = "QwikAuth$(({ env }) => ({ adapter: adapterFor(env), providers: [] }))"
    const folder = await application({ "package.json": starter(version1), [plugin]: configured(call) })
    expect((await latchkey(folder, ["add", "passkey"])).code).toBe(0)
    expect(await read(folder, plugin)).toContain(
      "({ experimental: { enableWebAuthn: true }, adapter: adapterFor(env), providers: [Passkey] })",
    )
  })

  test("adds a provider to an application that has Latchkey under the name of Auth.js", async () => {
    const text = configured("QwikAuth$(() => ({ providers: [] }))", "@auth/qwik")
    const packages = { ...version1, "@auth/qwik": "npm:@latchkey/qwik@^0.1.0" }
    const folder = await application({ "package.json": starter(packages), [plugin]: text })
    await latchkey(folder, ["add", "google"])
    expect(await read(folder, plugin)).toContain('import Google from "@auth/qwik/providers/google"')
  })
})

interface Finding {
  readonly check: string
  readonly status: string
  readonly message: string
  readonly fix?: string
}

const secret = "AUTH_SECRET=mZ4QvK1t8xY0cR7bN3sW9eH6jL2pD5gUa+fT1oXiVkE=\n"
const github = "AUTH_GITHUB_ID=id\nAUTH_GITHUB_SECRET=hidden-client-secret\n"
const withGitHub = `import GitHub from "@latchkey/qwik/providers/github"\n${configured("QwikAuth$(() => ({ providers: [GitHub] }))")}`

async function doctor(
  files: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Promise<{ findings: Finding[]; code: number | null; stdout: string }> {
  const packages = { ...version1, "@latchkey/qwik": "0.1.0" }
  const folder = await application(
    { "package.json": starter(packages), ".env.local": secret + github, [plugin]: withGitHub, ...files },
    besideQwik,
  )
  const ended = await latchkey(folder, ["doctor", "--json", "--offline", ...args])
  return { findings: jsonOf(ended)["findings"] as Finding[], code: ended.code, stdout: ended.stdout }
}

function of(findings: readonly Finding[], check: string): Finding | undefined {
  return findings.find((one) => one.check === check)
}

describe("latchkey doctor in a Qwik application", () => {
  test("exits with 0 for a valid configuration, and shows the redirect URI and the plugin", async () => {
    const { findings, code, stdout } = await doctor({})
    expect(findings.filter(({ status }) => status !== "ok")).toEqual([])
    expect(code).toBe(0)
    expect(of(findings, "provider github")?.message).toBe("redirect URI http://localhost:5173/auth/callback/github")
    expect(of(findings, "routes")?.message).toBe(`served by ${plugin}`)
    expect(stdout).not.toContain("hidden-client-secret")
  })

  test("runs a configuration that reads the request, and a file with other code of Qwik", async () => {
    const text = `import { $, component$ } from "@builder.io/qwik"
import { routeLoader$, server$ } from "@builder.io/qwik-city"
import { QwikAuth$ } from "@latchkey/qwik"
import GitHub from "@latchkey/qwik/providers/github"
import { secretOf } from "~/secret"

export const useNow = routeLoader$(() => Date.now())
export const log = server$(() => undefined)
export const handler = $(() => undefined)
export const Button = component$(() => <button>Sign in</button>)

export const { onRequest, useSession, useSignIn, useSignOut } = QwikAuth$(({ env, url, request, sharedMap, platform }) => ({
  secret: secretOf(env),
  url: import.meta.env.SITE_URL,
  theme: { logo: \`\${url.origin}/logo.svg?\${request.method}\${sharedMap.size}\${Object.keys(platform).length}\` },
  providers: [GitHub({ clientId: env.get("OTHER_ID"), clientSecret: env.get("AUTH_GITHUB_SECRET") })],
}))
`
    const { findings, code } = await doctor({
      "src/routes/plugin@auth.tsx": text,
      [plugin]: "export {}\n",
      ".env.local": `MY_${secret}AUTH_GITHUB_SECRET=b\nOTHER_ID=a\n`,
      "src/secret.ts": 'export const secretOf = (env) => env.get("MY_AUTH_SECRET")\n',
      "tsconfig.json": '{ "compilerOptions": { "paths": { "~/*": ["./src/*"] }, "moduleResolution": "bundler" } }',
    })
    expect(findings.filter(({ status }) => status !== "ok")).toEqual([])
    expect(code).toBe(0)
  })

  test("reports problems of the configuration with advice", async () => {
    const call = 'QwikAuth$(() => ({ providers: [GitHub], session: { maxAge: -1 }, secret: "in-the-source" }))'
    const { findings, code, stdout } = await doctor({
      [plugin]: `import GitHub from "@latchkey/qwik/providers/github"\n${configured(call)}`,
      ".env.local": "",
    })
    expect(code).toBe(1)
    expect(of(findings, "session.maxAge")?.status).toBe("problem")
    expect(of(findings, "provider github")?.message).toContain("AUTH_GITHUB_ID, AUTH_GITHUB_SECRET aren't set")
    expect(of(findings, "secret")).toBeDefined()
    expect(stdout).not.toContain("in-the-source")
  })

  test("reports a missing secret", async () => {
    const { findings } = await doctor({ ".env.local": github })
    expect(of(findings, "secret")).toMatchObject({ status: "problem", fix: "Run `npx latchkey secret`" })
  })

  test.each([
    ["isn't a plugin", "src/auth.ts"],
    ["isn't at the top of the routes", "src/routes/app/plugin@auth.ts"],
  ])("reports that the file with the configuration %s, so that there are no routes", async (_, path) => {
    const { findings, code } = await doctor({ [plugin]: "export {}\n", [path]: withGitHub })
    expect(code).toBe(1)
    expect(of(findings, "routes")).toMatchObject({
      status: "problem",
      fix: expect.stringContaining("src/routes/plugin@auth.ts") as string,
    })
  })

  test("finds the configuration in a file that the plugin re-exports", async () => {
    const { findings, code } = await doctor({
      [plugin]: 'export { onRequest, useSession, useSignIn, useSignOut } from "../auth"\n',
      "src/auth.ts": withGitHub,
    })
    expect(of(findings, "routes")?.message).toBe(`served by ${plugin}`)
    expect(code).toBe(0)
  })

  test("takes the base path from the configuration", async () => {
    const call = 'QwikAuth$(() => ({ basePath: "/login", providers: [GitHub] }))'
    const text = `import GitHub from "@latchkey/qwik/providers/github"\n${configured(call)}`
    const { findings } = await doctor({ [plugin]: text })
    expect(of(findings, "provider github")?.message).toBe("redirect URI http://localhost:5173/login/callback/github")
  })

  test("takes the base path from AUTH_URL, unless the configuration has one", async () => {
    const url = "AUTH_URL=https://app.example/login\n"
    const taken = await doctor({ ".env.local": secret + github + url })
    expect(of(taken.findings, "provider github")?.message).toBe(
      "redirect URI https://app.example/login/callback/github",
    )
    const call = 'QwikAuth$(() => ({ basePath: "/auth", providers: [GitHub] }))'
    const text = `import GitHub from "@latchkey/qwik/providers/github"\n${configured(call)}`
    const { findings } = await doctor({ ".env.local": secret + github + url, [plugin]: text })
    expect(of(findings, "provider github")?.message).toBe("redirect URI https://app.example/auth/callback/github")
  })

  test("reports a package that isn't Latchkey", async () => {
    const text = configured("QwikAuth$(() => ({ providers: [] }))", "@auth/qwik")
    const packages = starter({ ...version1, "@auth/qwik": "0.9.1" })
    const { findings } = await doctor({ "package.json": packages, [plugin]: text })
    expect(of(findings, "package")?.fix).toContain("latchkey migrate")
  })

  test("reads the configuration without running it", async () => {
    const { findings, code } = await doctor({}, ["--no-load"])
    expect(code).toBe(0)
    expect(of(findings, "provider github")?.message).toBe("redirect URI http://localhost:5173/auth/callback/github")
  })
})

describe("latchkey migrate in a Qwik application", () => {
  const before = {
    "package.json": manifest(
      {},
      {
        devDependencies: {
          ...version1,
          "@auth/core": "0.41.1",
          "@auth/qwik": "^0.9.1",
          "@auth/prisma-adapter": "^2.11.1",
        },
      },
    ),
    [plugin]: `import { QwikAuth$, type QwikAuthConfig, CredentialsSignin } from "@auth/qwik";
import GitHub from "@auth/qwik/providers/github";
import Credentials from '@auth/qwik/providers/credentials';
import type { Adapter } from "@auth/qwik/adapters";
import { PrismaAdapter } from "@auth/prisma-adapter";

declare module "@auth/qwik" {
  interface Session { role?: string }
}
declare module "@auth/core/jwt" {
  interface JWT { role?: string }
}

export const { onRequest, useSession, useSignIn, useSignOut } = QwikAuth$(
  ({ env }): QwikAuthConfig => ({ adapter: PrismaAdapter(prisma) as Adapter, providers: [GitHub, Credentials({ authorize })] }),
);
`,
    "vite.config.ts":
      'import { defineConfig } from "vite"\nexport default defineConfig(() => ({ optimizeDeps: { include: ["@auth/qwik"] }, ssr: { noExternal: ["@auth/qwik", "@auth/core"] } }))\n',
    "src/routes/index.tsx":
      'import { component$ } from "@builder.io/qwik"\nimport { useSession } from "./plugin@auth"\nexport default component$(() => <p>{useSession().value?.user?.name}</p>)\n',
  }

  test("changes imports, types, the configuration of Vite and package.json, and leaves nothing to do", async () => {
    const folder = await application(before)
    const { code, stdout } = await latchkey(folder, ["migrate", "--write"])
    expect(stdout).not.toContain("✘")
    expect(code).toBe(0)
    const text = await read(folder, plugin)
    expect(text).toBe(
      (before[plugin] ?? "").replaceAll("@auth/qwik", "@latchkey/qwik").replace("@auth/core/jwt", "@latchkey/core/jwt"),
    )
    expect(await read(folder, "vite.config.ts")).toContain(
      'include: ["@latchkey/qwik"] }, ssr: { noExternal: ["@latchkey/qwik", "@latchkey/core"] }',
    )
    expect(await read(folder, "src/routes/index.tsx")).toBe(before["src/routes/index.tsx"])
    const { devDependencies } = JSON.parse(await read(folder, "package.json")) as {
      devDependencies: Record<string, string>
    }
    expect(devDependencies).toEqual({
      ...version1,
      "@auth/prisma-adapter": "^2.11.1",
      "@latchkey/core": "0.1.0",
      "@latchkey/qwik": "^0.1.0",
    })
    expect(stdout).toContain("Users stay signed in")
    const migrated = await filesOf(folder)
    expect((await latchkey(folder, ["migrate", "--write"])).code).toBe(0)
    expect(await filesOf(folder)).toEqual(migrated)
  })

  test("changes nothing in an application that has Latchkey under the name of Auth.js", async () => {
    const folder = await application({
      ...before,
      "package.json": starter({
        ...version1,
        "@auth/qwik": "npm:@latchkey/qwik@^0.1.0",
        "@auth/core": "npm:@latchkey/core@^0.1.0",
      }),
    })
    const migrated = await filesOf(folder)
    expect((await latchkey(folder, ["migrate", "--write"])).code).toBe(0)
    expect(await filesOf(folder)).toEqual(migrated)
  })

  test("changes mocks of the package", async () => {
    const mock = 'vi.mock("@auth/qwik", () => ({ QwikAuth$: () => ({}) }))\n'
    const folder = await application({ ...before, "src/auth.test.ts": mock })
    await latchkey(folder, ["migrate", "--write"])
    expect(await read(folder, "src/auth.test.ts")).toContain('vi.mock("@latchkey/qwik"')
  })
})
