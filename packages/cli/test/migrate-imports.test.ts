import { describe, expect, test } from "vitest"
import { application, jsonOf, latchkey, manifest, read } from "./latchkey.js"

const packages = { next: "^15.0.0", "next-auth": "^4.24.0" }
const route = "src/app/api/auth/[...nextauth]/route.ts"
const options =
  'import type { NextAuthOptions } from "next-auth"\n\nexport const authOptions: NextAuthOptions = { providers: [] }\n'
const paths = (given: object, more: object = {}) => JSON.stringify({ ...more, compilerOptions: { paths: given } })
const toSource = paths({ "@/*": ["./src/*"] })

function handlerWith(specifier: string): string {
  return `import NextAuth from "next-auth"\nimport { authOptions } from "${specifier}"\n\nconst handler = NextAuth(authOptions)\nexport { handler as GET, handler as POST }\n`
}

describe("the options get the exports, wherever the import of the route leads:", () => {
  const tsconfig = { "tsconfig.json": toSource }
  test.each<[title: string, module: string, specifier: string, files: Readonly<Record<string, string>>]>([
    ["a folder", "src/lib/auth/index.ts", "@/lib/auth", tsconfig],
    ["a folder with a slash", "src/lib/auth/index.ts", "@/lib/auth/", tsconfig],
    ["a folder with index.tsx", "src/lib/auth/index.tsx", "@/lib/auth", tsconfig],
    ["a folder with index.mts", "src/lib/auth/index.mts", "@/lib/auth", tsconfig],
    ["a folder by a path", "src/lib/auth/index.ts", "../../../../lib/auth", {}],
    ["a file beside a folder of that name", "src/lib/auth.ts", "@/lib/auth", { ...tsconfig, "src/lib/auth/a.ts": "" }],
    ["auth.mts", "src/lib/auth.mts", "@/lib/auth", tsconfig],
    ["auth.js for auth.ts", "src/lib/auth.ts", "../../../../lib/auth.js", {}],
    ["auth.mjs for auth.mts", "src/lib/auth.mts", "../../../../lib/auth.mjs", {}],
    ["auth.jsx for auth.tsx", "src/lib/auth.tsx", "../../../../lib/auth.jsx", {}],
    ["auth.ts", "src/lib/auth.ts", "../../../../lib/auth.ts", {}],
    [
      "an alias for one file",
      "src/lib/auth.ts",
      "auth-options",
      { "tsconfig.json": paths({ "auth-options": ["./src/lib/auth.ts"] }) },
    ],
    ["an alias without a slash", "src/lib/auth.ts", "~lib/auth", { "tsconfig.json": paths({ "~*": ["./src/*"] }) }],
    [
      "the second folder of an alias",
      "src/lib/auth.ts",
      "@/lib/auth",
      { "tsconfig.json": paths({ "@/*": ["./gen/*", "./src/*"] }) },
    ],
    ["an alias of jsconfig.json", "src/lib/auth.ts", "@/lib/auth", { "jsconfig.json": toSource }],
    ["baseUrl", "src/lib/auth.ts", "lib/auth", { "tsconfig.json": '{ "compilerOptions": { "baseUrl": "./src" } }' }],
    [
      "an alias of a configuration that is extended",
      "src/lib/auth.ts",
      "@/lib/auth",
      { "tsconfig.json": '{ "extends": "./config/base" }', "config/base.json": paths({ "@/*": ["../src/*"] }) },
    ],
    [
      "a commented configuration with trailing commas",
      "src/lib/auth.ts",
      "@/lib/auth",
      {
        "tsconfig.json": '{\n  // "@/*": ["./other/*"]\n  "compilerOptions": { "paths": { "@/*": ["./src/*"], }, },\n}',
      },
    ],
    [
      "imports of package.json",
      "src/lib/auth.ts",
      "#auth",
      { "package.json": manifest(packages, { imports: { "#auth": "./src/lib/auth.ts" } }) },
    ],
    [
      "imports of package.json with conditions",
      "src/lib/auth.ts",
      "#lib/auth.js",
      {
        "package.json": manifest(packages, {
          imports: { "#lib/*.js": { types: "./src/lib/*.ts", default: "./dist/*.js" } },
        }),
      },
    ],
  ])("%s", async (_, module, specifier, files) => {
    const folder = await application({
      "package.json": manifest(packages),
      [module]: options,
      [route]: handlerWith(specifier),
      ...files,
    })
    const ended = await latchkey(folder, ["migrate", "--write"])
    expect(ended).toMatchObject({ code: 0, stderr: "" })
    expect(await read(folder, module)).toContain(
      "export const { handlers, auth, signIn, signOut } = NextAuth(authOptions)",
    )
    expect(await read(folder, route)).toBe(
      `import { handlers } from "${specifier}"\n\nexport const { GET, POST } = handlers\n`,
    )
  })
})

test("a new import of a folder doesn't name its index", async () => {
  const folder = await application({
    "package.json": manifest(packages),
    "tsconfig.json": toSource,
    "src/lib/auth/index.ts": options,
    [route]: handlerWith("@/lib/auth"),
    "src/middleware.ts": 'export { default } from "next-auth/middleware"\n',
  })
  await latchkey(folder, ["migrate", "--write"])
  expect(await read(folder, "src/middleware.ts")).toBe('export { auth as middleware } from "@/lib/auth"\n')
})

test("a file of another package stays to the migration of that package", async () => {
  const folder = await application({
    "package.json": manifest({}),
    "web/package.json": manifest(packages),
    "web/tsconfig.json": paths({ "@acme/auth": ["../shared/src/index.ts"] }),
    [`web/${route}`]: handlerWith("@acme/auth"),
    "shared/package.json": manifest({ "next-auth": "^4.24.0" }),
    "shared/src/index.ts": options,
  })
  const ended = await latchkey(folder, ["migrate", "--write"])
  expect(ended).toMatchObject({ code: 0, stderr: "" })
  expect(await read(folder, "web/src/auth.ts")).toBe(
    'import NextAuth from "@latchkey/next"\nimport { authOptions } from "@acme/auth"\n\nexport const { handlers, auth, signIn, signOut } = NextAuth(authOptions)\n',
  )
  expect(await read(folder, "shared/src/index.ts")).toBe(
    options.replace("next-auth", "@latchkey/next").replaceAll("NextAuthOptions", "NextAuthConfig"),
  )
})

describe("a project that is half migrated to version 5", () => {
  const half = {
    "tsconfig.json": paths({ "@/*": ["./*"] }),
    "auth.ts": `import NextAuth from "next-auth"
import { authOptions } from "./options"

export const { handlers, auth, signIn, unstable_update } = NextAuth(authOptions)
`,
    "options.ts": options,
    "app/api/auth/[...nextauth]/route.ts":
      'import { handlers } from "@/auth"\n\nexport const { GET, POST } = handlers\n',
    "app/page.tsx":
      'import { getServerSession } from "next-auth/next"\nimport { authOptions } from "@/options"\n\nexport default async () => <p>{(await getServerSession(authOptions))?.user?.name}</p>\n',
  }

  test.each(["5.0.0-beta.25", "beta", "^4.24.0", "npm:@latchkey/next@^0.1.0"])(
    "uses its `auth` instead of `getServerSession`, with next-auth %s",
    async (range) => {
      const folder = await application({ "package.json": manifest({ next: "^15.0.0", "next-auth": range }), ...half })
      const ended = await latchkey(folder, ["migrate", "--write"])
      expect(ended).toMatchObject({ code: 0, stderr: "" })
      expect(await read(folder, "app/page.tsx")).toBe(
        'import { auth } from "@/auth"\n\nexport default async () => <p>{(await auth())?.user?.name}</p>\n',
      )
      const setup = await read(folder, "auth.ts")
      expect(setup.replace("@latchkey/next", "next-auth")).toBe(half["auth.ts"])
      expect(await read(folder, "options.ts")).toContain("authOptions: NextAuthConfig")
      expect(await read(folder, "app/api/auth/[...nextauth]/route.ts")).toBe(
        half["app/api/auth/[...nextauth]/route.ts"],
      )
    },
  )

  test("gets the route of version 5, if only package.json was changed", async () => {
    const folder = await application({
      "package.json": manifest({ next: "^15.0.0", "next-auth": "5.0.0-beta.25" }),
      "tsconfig.json": toSource,
      "src/lib/auth.ts": options,
      [route]: handlerWith("@/lib/auth"),
    })
    expect(await latchkey(folder, ["migrate", "--write"])).toMatchObject({ code: 0, stderr: "" })
    expect(await read(folder, route)).toBe(
      'import { handlers } from "@/lib/auth"\n\nexport const { GET, POST } = handlers\n',
    )
  })

  test.each([
    ["as a value", "export const read = cache(getServerSession)"],
    ["in a type", "export type Read = typeof getServerSession"],
    ["in an export", "export { getServerSession }"],
  ])("has no `getServerSession` of version 4 beside its handlers, used %s", async (_, use) => {
    const folder = await application({
      "package.json": manifest(packages),
      "tsconfig.json": toSource,
      "src/lib/auth.ts": options,
      [route]: handlerWith("@/lib/auth"),
      "src/session.ts": `import { getServerSession } from "next-auth/next"\n\n${use}\n`,
    })
    const ended = await latchkey(folder, ["migrate", "--write", "--json"])
    expect(ended.code).toBe(1)
    const { dependencies } = JSON.parse(await read(folder, "package.json")) as { dependencies: object }
    expect(dependencies).toEqual({ "@latchkey/next": "^0.1.0", next: "^15.0.0" })
    expect(await read(folder, "src/session.ts")).not.toContain("next-auth")
    expect(jsonOf(ended)["notes"]).toContainEqual(
      expect.objectContaining({ where: "src/session.ts:3", isOpen: true }) as object,
    )
  })
})
