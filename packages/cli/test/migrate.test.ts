import { describe, expect, test } from "vitest"
import { application, besideExpress, besideNext, filesOf, jsonOf, latchkey, manifest, read } from "./latchkey.js"

const alias = '{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }'
const route = "src/app/api/auth/[...nextauth]/route.ts"

/** An application as the documentation of next-auth 4 shows it. */
const version4 = {
  "package.json": manifest({ next: "^14.2.0", "next-auth": "^4.24.0", "@next-auth/prisma-adapter": "^1.0.0" }),
  "tsconfig.json": alias,
  ".env": "# ours\nNEXTAUTH_URL=http://localhost:3000\nNEXTAUTH_SECRET=very-secret # rotate\nGITHUB_ID=x\n",
  "src/db.ts": "export const db = {}\n",
  [route]: `import NextAuth, { type NextAuthOptions } from "next-auth"
import GitHubProvider from "next-auth/providers/github"
import { db } from "../../../../db"

export const authOptions: NextAuthOptions = {
  secret: process.env.NEXTAUTH_SECRET,
  providers: [GitHubProvider({ clientId: process.env.GITHUB_ID!, clientSecret: "" })],
  callbacks: {
    jwt: ({ token, isNewUser }) => token,
  },
}

const handler = NextAuth(authOptions)
export { handler as GET, handler as POST }
`,
  "src/app/page.tsx": `import { getServerSession } from "next-auth"
import { authOptions } from "@/app/api/auth/[...nextauth]/route"

export default async function Page() {
  const session = await getServerSession(authOptions)
  return <p>{session?.user?.name}</p>
}
`,
  "src/pages/api/me.ts": `import { getServerSession } from "next-auth/next"
import { authOptions } from "../../app/api/auth/[...nextauth]/route"

export default async (req, res) => res.json(await getServerSession(req, res, authOptions))
`,
  "src/pages/old.tsx": `import { getServerSession } from "next-auth/next"
import { authOptions } from "@/app/api/auth/[...nextauth]/route"

export const getServerSideProps = async (context) => ({
  props: { session: await getServerSession(context.req, context.res, authOptions) },
})
export default () => null
`,
  "src/button.tsx": `'use client';
import { signIn, useSession } from 'next-auth/react';
export const Button = () => <button onClick={() => signIn('github')}>{useSession().status}</button>;
`,
  "src/middleware.ts":
    'export { default } from "next-auth/middleware"\nexport const config = { matcher: ["/dashboard"] }\n',
  "src/types/next-auth.d.ts":
    'import "next-auth"\ndeclare module "next-auth" {\n  interface Session { role: string }\n}\n',
  "src/button.test.ts":
    'vi.mock("next-auth/react")\nconst lazy = import("next-auth/react")\ntype S = import("next-auth").Session\n',
}

describe("in two steps from next-auth 4", () => {
  test("the alias changes package.json alone, and the second step makes the rest", async () => {
    const folder = await application(version4)
    const before = await filesOf(folder)
    const first = await latchkey(folder, ["migrate", "--alias", "--write"])
    expect(first.code).toBe(0)
    const { "package.json": aliased, ...code } = await filesOf(folder)
    const { "package.json": former, ...codeBefore } = before
    expect(code).toEqual(codeBefore)
    const range = /^npm:@latchkey\/next-auth-4@\^4\.24\.\d+$/
    expect(JSON.parse(aliased ?? "")).toEqual({
      ...JSON.parse(former ?? ""),
      dependencies: { ...JSON.parse(former ?? "").dependencies, "next-auth": expect.stringMatching(range) },
    })
    expect((await latchkey(folder, ["migrate", "--alias", "--check"])).code).toBe(0)
    expect((await latchkey(folder, ["migrate", "--write"])).code).toBe(0)
    const direct = await application(version4)
    await latchkey(direct, ["migrate", "--write"])
    expect(await filesOf(folder)).toEqual(await filesOf(direct))
  })

  test.each(["npm:@latchkey/next-auth-4@^4.24.100", "file:/packed/latchkey-next-auth-4-4.24.100.tgz"])(
    "the second step knows the bridge as %s",
    async (range) => {
      const aliased = manifest({ next: "^14.2.0", "next-auth": range, "@next-auth/prisma-adapter": "^1.0.0" })
      const [folder, direct] = [
        await application({ ...version4, "package.json": aliased }),
        await application(version4),
      ]
      expect((await latchkey(folder, ["migrate", "--write"])).code).toBe(0)
      await latchkey(direct, ["migrate", "--write"])
      expect(await filesOf(folder)).toEqual(await filesOf(direct))
    },
  )

  test("version 5 gets the alias of its package, in each package of a monorepo", async () => {
    const folder = await application({
      "package.json": manifest({}),
      "apps/web/package.json": manifest({ next: "^16.0.0", "next-auth": "5.0.0-beta.30" }),
      "apps/api/package.json": manifest({
        express: "^5.0.0",
        "@auth/express": "^0.12.0",
        "@auth/pg-adapter": "^1.0.0",
      }),
      "apps/old/package.json": manifest({ next: "^14.0.0", "next-auth": "catalog:" }),
    })
    expect((await latchkey(folder, ["migrate", "--alias", "--write"])).code).toBe(1)
    const files = await filesOf(folder)
    const dependencies = (path: string) => JSON.parse(files[path] ?? "").dependencies as Record<string, string>
    expect(dependencies("apps/web/package.json")["next-auth"]).toMatch(/^npm:@latchkey\/next@\^0\.1\.\d+$/)
    expect(dependencies("apps/api/package.json")).toEqual({
      "@auth/express": expect.stringMatching(/^npm:@latchkey\/express@\^/),
      "@auth/pg-adapter": "^1.0.0",
      express: "^5.0.0",
    })
    expect(dependencies("apps/old/package.json")["next-auth"]).toBe("catalog:")
  })
})

describe("from next-auth 4", () => {
  test("migrates the route, sessions, middleware, types, variables and dependencies", async () => {
    const folder = await application(version4)
    const { code, stdout } = await latchkey(folder, ["migrate", "--write"])
    expect(code).toBe(0)
    const files = await filesOf(folder)
    expect(files["src/auth.ts"]).toBe(`import NextAuth, { type NextAuthConfig } from "@latchkey/next"
import GitHubProvider from "@latchkey/next/providers/github"
import { db } from "./db"

export const authOptions: NextAuthConfig = {
  secret: process.env.AUTH_SECRET,
  providers: [GitHubProvider({ clientId: process.env.GITHUB_ID!, clientSecret: "" })],
  callbacks: {
    authorized: ({ auth }) => auth !== null,
    jwt: ({ token, isNewUser }) => token,
  },
}

export const { handlers, auth, signIn, signOut } = NextAuth(authOptions)
`)
    expect(files[route]).toBe('import { handlers } from "@/auth"\n\nexport const { GET, POST } = handlers\n')
    expect(files["src/app/page.tsx"]).toBe(
      version4["src/app/page.tsx"]
        .replace(
          'import { getServerSession } from "next-auth"\nimport { authOptions } from "@/app/api/auth/[...nextauth]/route"',
          'import { auth } from "@/auth"',
        )
        .replace("getServerSession(authOptions)", "auth()"),
    )
    expect(files["src/pages/api/me.ts"]).toBe(
      'import { auth } from "../../auth"\n\nexport default async (req, res) => res.json(await auth(req, res))\n',
    )
    expect(files["src/pages/old.tsx"]).toContain("await auth(context)")
    expect(files["src/button.tsx"]).toBe(version4["src/button.tsx"].replace("next-auth/react", "@latchkey/next/react"))
    expect(files["src/middleware.ts"]).toBe(
      'export { auth as middleware } from "@/auth"\nexport const config = { matcher: ["/dashboard"] }\n',
    )
    expect(files["src/types/next-auth.d.ts"]).toBe(
      version4["src/types/next-auth.d.ts"].replaceAll('"next-auth"', '"@latchkey/next"'),
    )
    expect(files["src/button.test.ts"]).toBe(version4["src/button.test.ts"].replaceAll("next-auth", "@latchkey/next"))
    expect(files[".env"]).toBe(
      "# ours\nAUTH_URL=http://localhost:3000\nAUTH_SECRET=very-secret # rotate\nGITHUB_ID=x\n",
    )
    expect(JSON.parse(files["package.json"] ?? "")).toMatchObject({
      dependencies: {
        "@auth/prisma-adapter": expect.any(String) as string,
        "@latchkey/next": "^0.1.0",
        next: "^14.2.0",
      },
    })
    expect(files["package.json"]).not.toContain("next-auth")
    expect(stdout).toContain("Users stay signed in")
    expect(stdout).not.toContain("very-secret")
  })

  test("finds nothing to migrate afterward", async () => {
    const folder = await application(version4)
    await latchkey(folder, ["migrate", "--write"])
    const files = await filesOf(folder)
    const again = await latchkey(folder, ["migrate", "--check"])
    expect(again.code).toBe(0)
    expect(again.stdout).toContain("nothing to migrate")
    expect(await filesOf(folder)).toEqual(files)
  })

  test("keeps options in their own file, and adds the exports to it", async () => {
    const folder = await application({
      ...version4,
      "src/lib/options.ts": `import type { NextAuthOptions } from "next-auth"
import { getServerSession } from "next-auth"

export const authOptions: NextAuthOptions = { providers: [] }
export const current = () => getServerSession(authOptions)
`,
      [route]:
        'import NextAuth from "next-auth"\nimport { authOptions } from "@/lib/options"\n\nconst handler = NextAuth(authOptions)\nexport { handler as GET, handler as POST }\n',
      "src/app/page.tsx": version4["src/app/page.tsx"].replace("@/app/api/auth/[...nextauth]/route", "@/lib/options"),
      "src/pages/api/me.ts": "export default null\n",
      "src/pages/old.tsx": "export default null\n",
    })
    expect((await latchkey(folder, ["migrate", "--write"])).code).toBe(0)
    expect(await read(folder, "src/lib/options.ts")).toBe(`import type { NextAuthConfig } from "@latchkey/next"
import NextAuth from "@latchkey/next"

export const authOptions: NextAuthConfig = { callbacks: { authorized: ({ auth }) => auth !== null }, providers: [] }
export const current = () => auth()

export const { handlers, auth, signIn, signOut } = NextAuth(authOptions)
`)
    expect(await read(folder, route)).toBe(
      'import { handlers } from "@/lib/options"\n\nexport const { GET, POST } = handlers\n',
    )
    expect(await read(folder, "src/app/page.tsx")).toContain('import { auth } from "@/lib/options"')
  })

  test("replaces an API route of the Pages Router by a route handler", async () => {
    const old = "pages/api/auth/[...nextauth].js"
    const folder = await application({
      "package.json": manifest({ next: "14.0.0", "next-auth": "4.24.0" }),
      [old]:
        'import NextAuth from "next-auth"\nimport Google from "next-auth/providers/google"\n\nexport default NextAuth({\n  providers: [Google({ clientId: "", clientSecret: "" })],\n})\n',
    })
    expect((await latchkey(folder, ["migrate", "--write"])).code).toBe(0)
    const files = await filesOf(folder)
    expect(files).not.toHaveProperty([old])
    expect(files["app/api/auth/[...nextauth]/route.js"]).toContain('from "../../../../auth"')
    expect(files["auth.js"]).toContain("export const { handlers, auth, signIn, signOut } = NextAuth({\n  providers:")
  })

  test.each([
    [
      "a handler for each request",
      route,
      "import NextAuth from 'next-auth'\nexport default (req, res) => NextAuth(req, res, { providers: req.headers.a ? [] : [] })\n",
      /route\.ts:2: creates its handler in an unusual way/,
    ],
    [
      "an unknown provider",
      "src/x.ts",
      'import X from "next-auth/providers/no-such-service"\n',
      /src\/x\.ts:1: Latchkey has no provider "no-such-service"/,
    ],
    [
      "a package without a counterpart",
      "src/x.ts",
      'import { EdgeAuth } from "@auth/edge"\n',
      /src\/x\.ts:1: Latchkey has no package for @auth\/edge yet/,
    ],
    ["a file with a syntax error", "src/x.ts", 'import "next-auth"\nconst = 1\n', /src\/x\.ts: has a syntax error/],
  ])("%s gets a note with its line, and exits with 1", async (_, path, text, words) => {
    const folder = await application({ ...version4, [path]: text })
    const { code, stdout } = await latchkey(folder, ["migrate", "--write"])
    expect(stdout).toMatch(words)
    expect(code).toBe(1)
  })

  test("keeps the old middleware if its rule can't be added", async () => {
    const folder = await application({
      ...version4,
      [route]:
        version4[route]?.replace("callbacks: {\n    jwt: ({ token, isNewUser }) => token,\n  }", "callbacks: make()") ??
        "",
    })
    const { stdout } = await latchkey(folder, ["migrate", "--write"])
    expect(await read(folder, "src/middleware.ts")).not.toContain("auth as middleware")
    expect(stdout).toContain("src/middleware.ts:1: The middleware stays")
  })
})

describe("from version 5", () => {
  test("next-auth: replaces imports and the dependency, and users stay signed in", async () => {
    const auth =
      'import NextAuth from "next-auth"\nimport GitHub from "next-auth/providers/github"\nimport type { Provider } from "next-auth/providers"\nexport const { auth, handlers } = NextAuth({ providers: [GitHub] })\n'
    const folder = await application(
      {
        "package.json": manifest({ next: "16.0.0", "next-auth": "5.0.0-beta.32" }),
        "auth.ts": auth,
        "types.d.ts": 'declare module "next-auth/jwt" {\n  interface JWT { a: 1 }\n}\n',
      },
      besideNext,
    )
    const { stdout } = await latchkey(folder, ["migrate", "--write"])
    expect(await read(folder, "auth.ts")).toBe(auth.replaceAll("next-auth", "@latchkey/next"))
    expect(await read(folder, "types.d.ts")).toContain('declare module "@latchkey/next/jwt"')
    expect(stdout).toContain("Users stay signed in")
    expect(
      jsonOf(await latchkey(folder, ["doctor", "--offline", "--json"], { env: { AUTH_SECRET: "x".repeat(8) } })),
    ).toMatchObject({ findings: expect.any(Array) as unknown })
  })

  test("@auth/core and @auth/express: replaces imports, and keeps adapters", async () => {
    const text =
      'import { ExpressAuth } from "@auth/express"\nimport GitHub from "@auth/express/providers/github"\nimport type { Adapter } from "@auth/core/adapters"\nimport { DrizzleAdapter } from "@auth/drizzle-adapter"\n'
    const folder = await application(
      {
        "package.json": manifest({ express: "5.0.0", "@auth/express": "0.12.0", "@auth/drizzle-adapter": "1.0.0" }),
        "auth.ts": text,
      },
      besideExpress,
    )
    await latchkey(folder, ["migrate", "--write"])
    expect(await read(folder, "auth.ts")).toBe(
      text.replaceAll("@auth/express", "@latchkey/express").replace("@auth/core", "@latchkey/core"),
    )
    expect(JSON.parse(await read(folder, "package.json"))).toHaveProperty("dependencies", {
      "@auth/drizzle-adapter": "1.0.0",
      "@latchkey/core": "0.1.0",
      "@latchkey/express": "0.1.0",
      express: "5.0.0",
    })
  })

  test.each([["link:../next"], ["workspace:*"], ["file:../next.tgz"]])(
    "finds nothing to migrate if next-auth is installed from Latchkey with %s",
    async (range) => {
      const folder = await application(
        {
          "package.json": manifest({ next: "16.0.0", "next-auth": range }),
          "auth.ts": 'import NextAuth from "next-auth"\nimport GitHub from "next-auth/providers/github"\n',
        },
        { "next-auth": besideNext["@latchkey/next"] ?? "" },
      )
      expect((await latchkey(folder, ["migrate", "--check"])).code).toBe(0)
    },
  )

  test("finds nothing to migrate if the dependency next-auth is an alias of @latchkey/next", async () => {
    const folder = await application({
      "package.json": manifest({ next: "16.0.0", "next-auth": "npm:@latchkey/next@^0.1.0" }),
      "auth.ts": 'import NextAuth from "next-auth"\n',
    })
    const { code, stdout } = await latchkey(folder, ["migrate"])
    expect(stdout).toContain("nothing to migrate")
    expect(code).toBe(0)
  })
})

describe("without --write", () => {
  test.each([
    ["--check", 1],
    ["--dry-run", 0],
    ["--no-input", 1],
  ])(
    "%s shows the diff, writes nothing, and exits with %i if the migration leaves nothing to you",
    async (option, expected) => {
      const folder = await application(version4)
      const before = await filesOf(folder)
      const { code, stdout } = await latchkey(folder, ["migrate", option])
      expect(code).toBe(expected)
      expect(stdout).toContain("--- a/src/button.tsx\n+++ b/src/button.tsx\n@@ ")
      expect(await filesOf(folder)).toEqual(before)
    },
  )

  test("--dry-run exits with 1 if the migration leaves something to you", async () => {
    const rule = 'import { withAuth } from "next-auth/middleware"\nexport default withAuth(() => undefined)\n'
    const folder = await application({ ...version4, "src/middleware.ts": rule })
    const { code, stdout } = await latchkey(folder, ["migrate", "--dry-run"])
    expect(stdout).toContain("src/middleware.ts:2: The middleware stays")
    expect(code).toBe(1)
  })

  test("shows no values of env files, also in comments and over several lines", async () => {
    const env =
      '# OLD=commented-out\nKEY="first-line\nsecond-line\n"\nNEXTAUTH_SECRET=the-secret\nexport OTHER=other-value\n'
    const folder = await application({ ...version4, ".env.local": env })
    const { stdout } = await latchkey(folder, ["migrate"])
    expect(stdout).toContain("-NEXTAUTH_SECRET=…\n+AUTH_SECRET=…")
    expect(stdout).not.toMatch(/commented-out|first-line|second-line|the-secret|other-value/)
    await latchkey(folder, ["migrate", "--write"])
    expect(await read(folder, ".env.local")).toBe(env.replace("NEXTAUTH_SECRET", "AUTH_SECRET"))
  })

  test("--json lists every change", async () => {
    const folder = await application(version4)
    const report = jsonOf(await latchkey(folder, ["migrate", "--json"]))
    expect(report).toMatchObject({ ok: false, written: false })
    expect(report["changes"]).toContainEqual({
      path: "src/auth.ts",
      action: "create",
      diff: expect.stringContaining("+++ b/src/auth.ts") as string,
    })
    expect(JSON.stringify(report)).not.toContain("very-secret")
  })

  test("finds nothing to migrate without Auth.js", async () => {
    const folder = await application({
      "package.json": manifest({ next: "16.0.0" }),
      "app/page.js": "export default () => <a>next-auth</a>\n",
    })
    expect((await latchkey(folder, ["migrate", "--check"])).code).toBe(0)
  })
})
