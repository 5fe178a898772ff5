import { describe, expect, test } from "vitest"
import { appRouter } from "./applications/version-4-app-router.js"
import { pagesRouter } from "./applications/version-4-pages-router.js"
import { application, filesOf, latchkey, manifest, read, type RunResult } from "./latchkey.js"

const packageJson = manifest({ next: "^15.0.0", "next-auth": "^4.24.0" })
const route =
  'import NextAuth from "next-auth"\nimport { authOptions } from "../../../../lib/auth"\n\nconst handler = NextAuth(authOptions)\nexport { handler as GET, handler as POST }\n'
const options =
  'import type { NextAuthOptions } from "next-auth"\n\nexport const authOptions: NextAuthOptions = { providers: [] }\n'
const version4 = {
  "package.json": packageJson,
  "lib/auth.ts": options,
  "app/api/auth/[...nextauth]/route.ts": route,
}
const version5 = { "package.json": manifest({ next: "^15.0.0", "next-auth": "5.0.0-beta.32" }) }

async function migrate(files: Readonly<Record<string, string>>): Promise<{ folder: string; ended: RunResult }> {
  const folder = await application(files)
  return { folder, ended: await latchkey(folder, ["migrate", "--write"]) }
}

async function after(files: Readonly<Record<string, string>>, path: string): Promise<string> {
  const { folder } = await migrate(files)
  return read(folder, path)
}

describe("a whole application of version 4", () => {
  test.each([
    ["with the App Router", appRouter],
    ["with the Pages Router", pagesRouter],
  ])("%s has no open points, and nothing to migrate afterward", async (_, files) => {
    const { folder, ended } = await migrate(files)
    expect(ended.stdout).not.toContain("✘")
    expect(ended.code).toBe(0)
    const migrated = await filesOf(folder)
    expect(Object.entries(migrated).filter(([, text]) => /["'](?:@auth|next-auth)/.test(text))).toEqual([])
    const again = await latchkey(folder, ["migrate", "--write"])
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining("nothing to migrate") as string })
    expect(await filesOf(folder)).toEqual(migrated)
  })
})

describe("from version 4", () => {
  test.each([
    [
      "getToken({ req })",
      "getToken({ req, secret: process.env.AUTH_SECRET ?? process.env.NEXTAUTH_SECRET, secureCookie: ",
    ],
    ["getToken({ req, secret })", "getToken({ req, secret, secureCookie: "],
    ['getToken({ req, secret, cookieName: "x" })', 'getToken({ req, secret, cookieName: "x" })'],
    ["getToken({ req, secret, secureCookie: false })", "getToken({ req, secret, secureCookie: false })"],
  ])("%s gets what version 4 took from the environment", async (before, start) => {
    const text = `import { getToken } from "next-auth/jwt"\nexport const token = (req, secret) => ${before}\n`
    expect(await after({ ...version4, "lib/token.ts": text }, "lib/token.ts")).toContain(`=> ${start}`)
  })

  test.each([
    ["an arrow function", "export default (req, res) => NextAuth(req, res, { providers: [] })"],
    [
      "an async function",
      "export default async function auth(req: NextApiRequest, res: NextApiResponse) {\n  return await NextAuth(req, res, { providers: [] })\n}",
    ],
    ["a constant", "const handler = NextAuth({ providers: [] })\nexport default handler"],
  ])("an API route that is %s becomes a route handler", async (_, code) => {
    const old = "pages/api/auth/[...nextauth].ts"
    const text = `import type { NextApiRequest, NextApiResponse } from "next"\nimport NextAuth from "next-auth"\n\n${code}\n`
    const { folder, ended } = await migrate({ "package.json": packageJson, [old]: text })
    expect(ended.code).toBe(0)
    expect(await read(folder, "auth.ts")).toBe(
      `import NextAuth from "@latchkey/next"\n\nexport const { handlers, auth, signIn, signOut } = NextAuth({ providers: [] })\n`,
    )
    expect(Object.keys(await filesOf(folder))).not.toContain(old)
  })

  test("options with a default export get a file of their own", async () => {
    const { folder, ended } = await migrate({
      ...version4,
      "lib/auth.ts": `${options}export default authOptions\nexport function auth() {}\n`,
      "app/api/auth/[...nextauth]/route.ts": route.replace("{ authOptions }", "authOptions"),
      "app/page.ts":
        'import { getServerSession } from "next-auth"\nimport authOptions from "../lib/auth"\nexport default () => getServerSession(authOptions)\n',
    })
    expect(ended.code).toBe(0)
    expect(await read(folder, "auth.ts")).toBe(
      'import NextAuth from "@latchkey/next"\nimport authOptions from "./lib/auth"\n\nexport const { handlers, auth, signIn, signOut } = NextAuth(authOptions)\n',
    )
    expect(await read(folder, "app/page.ts")).toBe('import { auth } from "../auth"\nexport default () => auth()\n')
  })

  test("a handler that another file creates, beside a helper, is replaced there", async () => {
    const { folder, ended } = await migrate({
      ...version4,
      "lib/auth.ts":
        "import NextAuth, { getServerSession, NextAuthOptions } from 'next-auth'\n\nexport const authOptions = { providers: [] } satisfies NextAuthOptions\n\nconst handler = NextAuth(authOptions)\n\nexport { handler as GET, handler as POST }\n\nexport const auth = () => getServerSession(authOptions)\n",
      "app/api/auth/[...nextauth]/route.ts": "export { GET, POST } from '../../../../lib/auth'\n",
    })
    expect(ended.code).toBe(0)
    expect((await read(folder, "lib/auth.ts")).trimEnd()).toBe(
      "import NextAuth, { NextAuthConfig } from '@latchkey/next'\n\nexport const authOptions = { providers: [] } satisfies NextAuthConfig\n\nexport const { handlers, auth, signIn, signOut } = NextAuth(authOptions)",
    )
    expect(await read(folder, "app/api/auth/[...nextauth]/route.ts")).toBe(
      "import { handlers } from '../../../../lib/auth'\n\nexport const { GET, POST } = handlers\n",
    )
  })

  test.each([
    [
      "async authorize(credentials) {\n    return find(credentials?.name)\n  }",
      'async authorize(input) {\n    const credentials = input as Record<"name" | "password", string> | undefined\n    return find(credentials?.name)\n  }',
    ],
    [
      "authorize: (credentials) => find(credentials?.name)",
      'authorize: (input) => { const credentials = input as Record<"name" | "password", string> | undefined; return find(credentials?.name) }',
    ],
    [
      "authorize: async (credentials) => ({ id: credentials!.name })",
      'authorize: async (input) => { const credentials = input as Record<"name" | "password", string> | undefined; return ({ id: credentials!.name }) }',
    ],
    [
      "authorize: async ({ name }: Fields) => find(name)",
      "authorize: async (input) => { const { name } = input as Fields; return find(name) }",
    ],
    ["authorize: () => null", "authorize: () => null"],
    [
      "// @ts-expect-error its type\n  authorize: async (fields: Fields) => find(fields)",
      "// @ts-expect-error its type\n  authorize: async (fields: Fields) => find(fields)",
    ],
  ])("the fields of %j keep their type", async (before, expected) => {
    const text = (run: string) =>
      `import Credentials from "next-auth/providers/credentials"\n\nexport const own = Credentials({\n  credentials: { name: {}, password: {} },\n  ${run},\n})\n`
    expect(await after({ ...version4, "lib/own.ts": text(before) }, "lib/own.ts")).toBe(
      text(expected).replace("next-auth", "@latchkey/next"),
    )
  })

  test.each([
    ['import type { NextAuthOptions } from "next-auth"\nexport type O = NextAuthOptions\n', "NextAuthConfig"],
    ['import { AuthOptions as Options } from "next-auth"\nexport type O = Options\n', "NextAuthConfig"],
    ['import * as Auth from "next-auth"\nexport type O = Auth.NextAuthOptions\n', "Auth.NextAuthConfig"],
    ['export type O = import("next-auth").NextAuthOptions\n', 'import("@latchkey/next").NextAuthConfig'],
    [
      '/** @type {import("next-auth").NextAuthOptions} */\nexport const o = {}\n',
      'import("@latchkey/next").NextAuthConfig',
    ],
    [
      'import type { NextAuthOptions } from "next-auth"\nexport const list: NextAuthOptions["providers"] = []\n',
      'import("@latchkey/next/providers").Provider[]',
    ],
  ])("the type of the options in %j becomes %s", async (text, expected) => {
    const migrated = await after({ ...version4, "lib/types.ts": text }, "lib/types.ts")
    expect(migrated).toContain(expected)
    expect(migrated).not.toMatch(/AuthOptions/)
  })

  test.each([
    [
      'import type { SessionStrategy, User } from "next-auth"\nexport type S = SessionStrategy | User\n',
      'import type { User } from "@latchkey/next"\n\ntype SessionStrategy = "jwt" | "database"\nexport type S = SessionStrategy | User\n',
    ],
    [
      'import type { BuiltInProviderType } from "next-auth/providers";\nimport { type LiteralUnion, signIn } from "next-auth/react";\nexport const start = (id: LiteralUnion<BuiltInProviderType>) => signIn(id);\n',
      'import { signIn } from "@latchkey/next/react";\n\ntype BuiltInProviderType = string;\ntype LiteralUnion<T extends U, U = string> = T | (U & Record<never, never>);\nexport const start = (id: LiteralUnion<BuiltInProviderType>) => signIn(id);\n',
    ],
    [
      'import GitHub, { type GithubProfile } from "next-auth/providers/github"\nexport type P = [typeof GitHub, GithubProfile]\n',
      'import GitHub, { type GitHubProfile as GithubProfile } from "@latchkey/next/providers/github"\nexport type P = [typeof GitHub, GithubProfile]\n',
    ],
    [
      'import type { SendVerificationRequestParams as Params } from "next-auth/providers/email"\nexport type P = Params\n',
      'import type { EmailProviderSendVerificationRequestParams as Params } from "@latchkey/next/providers/email"\nexport type P = Params\n',
    ],
  ])("types that have another name or are gone compile: %j", async (text, expected) => {
    expect(await after({ ...version4, "lib/types.ts": text }, "lib/types.ts")).toBe(expected)
  })

  test.each([
    ['{ clientId: "", checks: "pkce", version: "2.0" }', '{ clientId: "", checks: ["pkce"] }'],
    ['{ version: "2.0", clientId: "" }', '{ clientId: "" }'],
    ['{\n  clientId: "",\n  version: "2.0",\n  clientSecret: "",\n}', '{\n  clientId: "",\n  clientSecret: "",\n}'],
    ['{\n  clientId: "",\n  version: "2.0",\n}', '{\n  clientId: "",\n}'],
  ])("the options %j of a provider become %j", async (before, expected) => {
    const text = (options: string) =>
      `import Twitter from "next-auth/providers/twitter"\nexport const provider = Twitter(${options})\n`
    expect(await after({ ...version4, "lib/own.ts": text(before) }, "lib/own.ts")).toBe(
      text(expected).replace("next-auth", "@latchkey/next"),
    )
  })

  test("a middleware beside a function named middleware stays the default export", async () => {
    const text =
      'export { default } from "next-auth/middleware"\nexport function middleware() {}\nexport const config = { matcher: ["/a"] }\n'
    expect(await after({ ...version4, "middleware.ts": text }, "middleware.ts")).toBe(
      text.replace('{ default } from "next-auth/middleware"', '{ auth as default } from "./lib/auth"'),
    )
  })

  test("the helper `auth` of the documentation is replaced by `auth`", async () => {
    const helper =
      'import type { GetServerSidePropsContext, NextApiRequest, NextApiResponse } from "next"\nimport { getServerSession, type NextAuthOptions } from "next-auth"\n\nexport const authOptions = { providers: [] } satisfies NextAuthOptions\n\nexport function auth(...args: [NextApiRequest, NextApiResponse] | []) {\n  return getServerSession(...args, authOptions)\n}\n'
    const text = await after({ ...version4, "lib/auth.ts": helper }, "lib/auth.ts")
    expect(text).not.toContain("getServerSession")
    expect(text).toContain("export const { handlers, auth, signIn, signOut } = NextAuth(authOptions)")
  })

  test.each([
    ["every page without a matcher, except files of Next.js", "", "_next"],
    ["the pages of its matcher", 'export const config = { matcher: ["/a"] }\n', "auth !== null }"],
  ])("the middleware protects %s", async (_, config, rule) => {
    const { folder, ended } = await migrate({
      ...version4,
      "middleware.ts": `export { default } from "next-auth/middleware"\n${config}`,
    })
    expect(ended.code).toBe(0)
    expect(await read(folder, "middleware.ts")).toBe(`export { auth as middleware } from "./lib/auth"\n${config}`)
    expect(await read(folder, "lib/auth.ts")).toContain(rule)
  })

  test("nodemailer 6 becomes 7, and pinned versions stay pinned", async () => {
    const text = await after(
      {
        ...version4,
        "package.json": manifest(
          { next: "15.0.0", "next-auth": "4.24.7", "@next-auth/prisma-adapter": "1.0.7" },
          { devDependencies: { nodemailer: "~6.9.0" } },
        ),
      },
      "package.json",
    )
    expect(JSON.parse(text)).toMatchObject({
      dependencies: { "@auth/prisma-adapter": "2.11.3", "@latchkey/next": "0.1.0", next: "15.0.0" },
      devDependencies: { nodemailer: "~7.0.7" },
    })
  })
})

describe("environment variables", () => {
  const env = "NEXTAUTH_URL=http://localhost:3000\nNEXTAUTH_SECRET=x\n"

  test("are renamed if only Latchkey reads them", async () => {
    expect(await after({ ...version4, ".env": env }, ".env")).toBe(env.replaceAll("NEXTAUTH_", "AUTH_"))
  })

  test.each([
    ["code", "lib/url.ts", "export const url = process.env.NEXTAUTH_URL\n"],
    ["a schema", "env.mjs", "export const server = { NEXTAUTH_URL: z.string().url() }\n"],
    ["a test", "src/tests/setup.ts", 'process.env["NEXTAUTH_URL"] = "http://localhost"\n'],
    ["a declaration", "env.d.ts", "declare namespace NodeJS { interface ProcessEnv { NEXTAUTH_URL: string } }\n"],
    ["a deployment", "compose.yaml", "environment:\n  - NEXTAUTH_URL=https://app.example\n"],
    ["another variable", ".env.production", "BASE=$NEXTAUTH_URL/x\n"],
    ["a component", "app/a.vue", "<script setup>\nconst url = import.meta.env.NEXTAUTH_URL\n</script>\n"],
  ])("keep their names if %s reads them", async (_, path, text) => {
    const { folder } = await migrate({ ...version4, ".env": env, [path]: text })
    expect(await read(folder, ".env")).toBe(env.replace("NEXTAUTH_SECRET", "AUTH_SECRET"))
    expect(await read(folder, path)).toBe(text)
  })

  test("keep their names if getToken reads them", async () => {
    const text =
      'import { getToken } from "next-auth/jwt"\nexport const token = (req) => getToken({ req, secret: process.env.NEXTAUTH_SECRET })\n'
    const { folder } = await migrate({ ...version4, ".env": env, "lib/token.ts": text })
    expect(await read(folder, ".env")).toContain("NEXTAUTH_SECRET=x")
    expect(await read(folder, "lib/token.ts")).toContain("secret: process.env.NEXTAUTH_SECRET")
  })
})

describe("from version 5", () => {
  test.each([
    ["a test", "src/tests/a.test.ts", 'vi.mock("next-auth", () => ({ default: vi.fn() }))\n'],
    ["a test in __tests__", "__tests__/a.test.js", 'jest.mock("next-auth/react")\n'],
    ["a dynamic import", "a.ts", 'const react = await import("next-auth/react")\n'],
    ["a dynamic import with a template", "a.ts", "const react = await import(`next-auth/react`)\n"],
    ["require", "a.cjs", "const { useSession } = require('next-auth/react');\n"],
    ["require.resolve", "a.cjs", 'const path = require.resolve("next-auth/package.json")\n'],
    ["an import of package.json", "a.ts", 'import { version } from "next-auth/package.json" with { type: "json" }\n'],
    ["import type", "a.mts", 'import type { Session } from "next-auth"\n'],
    ["typeof import", "a.ts", 'type Auth = typeof import("next-auth")\n'],
    [
      "a type in JSDoc",
      "next.config.js",
      '/** @type {import("next-auth").NextAuthConfig} */\nexport const config = {}\n',
    ],
    ["a reference", "a.d.ts", '/// <reference types="next-auth" />\n'],
    ["declare module", "types/deep/b.d.ts", 'declare module "next-auth/jwt" {\n  interface JWT {}\n}\n'],
    ["a re-export", "a.ts", 'export * from "next-auth/react"\nexport { auth as default } from "next-auth"\n'],
    [
      "a Vue component",
      "a.vue",
      '<template>\n  <p>é</p>\n</template>\n<script setup lang="ts">\nimport "next-auth/react"\n</script>\n',
    ],
    [
      "a Svelte component",
      "a.svelte",
      '<script>\n  import { signIn } from "next-auth/react"\n</script>\n<p>next</p>\n',
    ],
    ["an Astro page", "a.astro", '---\nimport { auth } from "next-auth"\nif (!auth) return\n---\n<p />\n'],
    [
      "a file with a BOM and CRLF",
      "a.ts",
      '\uFEFFimport NextAuth from "next-auth" // é\r\n\r\n\texport { NextAuth }\r\n',
    ],
    ["a folder named build", "app/build/page.tsx", 'import "next-auth"\n'],
    [
      "the configuration of Next.js",
      "next.config.mjs",
      'export default { transpilePackages: ["next-auth"], serverExternalPackages: ["next-auth/react"] }\n',
    ],
    [
      "the configuration of ESLint",
      ".eslintrc.json",
      '{ "rules": { "no-restricted-imports": ["error", "next-auth/react"] } }\n',
    ],
    [
      "the configuration of TypeScript",
      "tsconfig.json",
      '{\n  // types\n  "compilerOptions": { "types": ["next-auth"], "paths": { "next-auth": ["./types/next-auth.d.ts"] } }\n}\n',
    ],
  ])("%s is migrated, and keeps its form", async (_, path, text) => {
    const { folder, ended } = await migrate({ ...version5, [path]: text })
    const expected = text.replaceAll(/(["'`])next-auth(?=["'`/])/g, "$1@latchkey/next")
    expect(await read(folder, path)).toBe(expected)
    expect(ended.code).toBe(0)
  })

  test("a provider is replaced only if Latchkey has it", async () => {
    const text =
      'import GitHub from "next-auth/providers/github"\nimport Gone from "next-auth/providers/gone"\nexport const providers = [GitHub, Gone]\n'
    const { folder, ended } = await migrate({ ...version5, "auth.ts": text })
    expect(await read(folder, "auth.ts")).toBe(
      text.replace("next-auth/providers/github", "@latchkey/next/providers/github"),
    )
    expect(ended.code).toBe(1)
    expect(ended.stdout).toContain('auth.ts:2: Latchkey has no provider "gone"')
  })

  test("variables in deployments are no open point", async () => {
    const { ended } = await migrate({
      ...version5,
      "auth.ts": 'import NextAuth from "next-auth"\nexport const { auth } = NextAuth({ providers: [] })\n',
      "compose.yaml": "environment:\n  NEXTAUTH_URL: https://app.example\n",
    })
    expect(ended.code).toBe(0)
  })

  test("package.json keeps its lists, pins, order, tabs and line ends", async () => {
    const text =
      '{\r\n\t"name": "library",\r\n\t"peerDependencies": {\r\n\t\t"next-auth": "5.0.0-beta.32",\r\n\t\t"react": "*"\r\n\t},\r\n\t"devDependencies": {\r\n\t\t"@auth/core": "~0.41.0",\r\n\t\t"next": "16.0.0"\r\n\t}\r\n}\r\n'
    const { folder } = await migrate({ "package.json": text })
    expect(await read(folder, "package.json")).toBe(
      '{\r\n\t"name": "library",\r\n\t"peerDependencies": {\r\n\t\t"@latchkey/next": "0.1.0",\r\n\t\t"react": "*"\r\n\t},\r\n\t"devDependencies": {\r\n\t\t"@latchkey/core": "~0.1.0",\r\n\t\t"next": "16.0.0"\r\n\t}\r\n}\r\n',
    )
  })
})

describe("a monorepo", () => {
  const workspace = {
    "package.json": manifest({}, { workspaces: ["apps/*", "libraries/*"], scripts: { build: "turbo" } }),
    "apps/web/package.json": packageJson,
    "apps/web/app/api/auth/[...nextauth]/route.ts": route,
    "apps/web/lib/auth.ts": options,
    "apps/docs/package.json": manifest({ next: "16.0.0" }),
    "libraries/ui/package.json": manifest({}, { peerDependencies: { "next-auth": "^4.0.0" } }),
    "libraries/ui/src/button.tsx": 'import { signIn } from "next-auth/react"\nexport const b = signIn\n',
  }

  test("has every package migrated, with its own dependencies", async () => {
    const { folder, ended } = await migrate(workspace)
    expect(ended.code).toBe(0)
    expect(await read(folder, "apps/web/lib/auth.ts")).toContain("NextAuth(authOptions)")
    expect(await read(folder, "libraries/ui/src/button.tsx")).toContain("@latchkey/next/react")
    expect(JSON.parse(await read(folder, "libraries/ui/package.json"))).toMatchObject({
      peerDependencies: { "@latchkey/next": "^0.1.0" },
    })
    expect(await read(folder, "package.json")).toBe(workspace["package.json"])
    expect(await read(folder, "apps/docs/package.json")).toBe(workspace["apps/docs/package.json"])
  })

  test("may share the options in a package without a route", async () => {
    const { folder, ended } = await migrate({
      ...workspace,
      "apps/web/lib/auth.ts": 'export { authOptions } from "@acme/session"\n',
      "libraries/session/package.json": manifest({ "next-auth": "^4.24.0" }),
      "libraries/session/index.ts":
        'export { authOptions } from "./options"\nexport { getServerSession } from "./get"\nexport type { Session } from "next-auth"\n',
      "libraries/session/options.ts": options,
      "libraries/session/get.ts":
        'import { getServerSession as read } from "next-auth"\nimport { authOptions } from "./options"\nexport const getServerSession = (context) => read(context.req, context.res, authOptions)\n',
    })
    expect(ended.stdout).not.toContain("✘")
    expect(await read(folder, "libraries/session/options.ts")).toContain(
      "export const { handlers, auth, signIn, signOut }",
    )
    expect(await read(folder, "libraries/session/get.ts")).toBe(
      'import { auth } from "./options"\nexport const getServerSession = (context) => auth(context)\n',
    )
  })

  test("may have the dependency in the root", async () => {
    const { folder } = await migrate({
      ...workspace,
      "package.json": manifest({ "next-auth": "^4.24.0" }, { workspaces: ["apps/*"] }),
      "apps/web/package.json": manifest({ next: "^15.0.0" }),
    })
    expect(JSON.parse(await read(folder, "package.json"))).toMatchObject({
      dependencies: { "@latchkey/next": "^0.1.0" },
    })
    expect(await read(folder, "apps/web/package.json")).not.toContain("latchkey")
    expect(await read(folder, "apps/web/lib/auth.ts")).toContain("NextAuth(authOptions)")
  })

  test("whose root has the dependency gets a note, if only one package is migrated", async () => {
    const folder = await application({
      ...workspace,
      "package.json": manifest({ "next-auth": "^4.24.0" }),
      "apps/web/package.json": manifest({ next: "^15.0.0" }),
    })
    const { code, stdout } = await latchkey(folder, ["migrate", "--write", "--cwd", "apps/web"])
    expect(stdout).toContain("../../package.json: depends on Auth.js, too")
    expect(code).toBe(1)
  })
})
