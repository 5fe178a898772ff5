import { describe, expect, test } from "vitest"
import { application, filesOf, jsonOf, latchkey, manifest, read } from "./latchkey.js"

/** A small application of next-auth 4. */
const version4 = {
  "package.json": manifest({ next: "^15.0.0", "next-auth": "^4.24.0" }),
  "lib/auth.ts":
    'import type { NextAuthOptions } from "next-auth"\n\nexport const authOptions: NextAuthOptions = { providers: [] }\n',
  "app/api/auth/[...nextauth]/route.ts":
    'import NextAuth from "next-auth"\nimport { authOptions } from "../../../../lib/auth"\n\nconst handler = NextAuth(authOptions)\nexport { handler as GET, handler as POST }\n',
}

interface Note {
  readonly where?: string
  readonly text: string
  readonly isOpen: boolean
}

async function migrated(files: Readonly<Record<string, string>>): Promise<{
  readonly folder: string
  readonly code: number | null
  readonly open: readonly string[]
}> {
  const folder = await application({ ...version4, ...files })
  const ended = await latchkey(folder, ["migrate", "--write", "--json"])
  const notes = jsonOf(ended)["notes"] as Note[]
  return {
    folder,
    code: ended.code,
    open: notes.filter(({ isOpen }) => isOpen).map(({ where, text }) => `${where}: ${text}`),
  }
}

test("without open points, it exits with 0", async () => {
  const { code, open } = await migrated({})
  expect(open).toEqual([])
  expect(code).toBe(0)
})

describe("an open point has its file and line, and exits with 1:", () => {
  test.each([
    [
      "a form with getCsrfToken(context)",
      "pages/login.tsx",
      'import { getCsrfToken } from "next-auth/react"\n\nexport const getServerSideProps = async (context) => ({\n  props: { csrfToken: await getCsrfToken(context) },\n})\n',
      /pages\/login\.tsx:4: `getCsrfToken` takes no context/,
    ],
    [
      "getToken with options from elsewhere",
      "app/token.ts",
      'import { getToken } from "next-auth/jwt"\nexport const read = (options) => getToken(options)\n',
      /app\/token\.ts:2: `getToken` needs `secret`/,
    ],
    [
      "withAuth with a rule",
      "middleware.ts",
      'import { withAuth } from "next-auth/middleware"\n\nexport default withAuth({\n  callbacks: { authorized: ({ token }) => token?.role === "admin" },\n})\n',
      /middleware\.ts:3: The middleware stays, because its callback `authorized` has a rule/,
    ],
    [
      "withAuth around a function",
      "middleware.ts",
      'import { withAuth } from "next-auth/middleware"\nexport default withAuth(function middleware(req) {\n  console.log(req.nextauth.token)\n}, { callbacks: { authorized: ({ token }) => !!token } })\n',
      /middleware\.ts:2: The middleware stays, because it passes a function/,
    ],
    [
      "withAuth with another sign-in page",
      "middleware.ts",
      'import { withAuth } from "next-auth/middleware"\nexport default withAuth({ pages: { signIn: "/login" } })\n',
      /middleware\.ts:2: The middleware stays/,
    ],
    [
      "a composed middleware",
      "middleware.ts",
      'import { withAuth } from "next-auth/middleware"\nconst guard = withAuth({})\nexport default (req, event) => guard(req, event)\n',
      /middleware\.ts:2: The middleware stays, because withAuth is used in other code/,
    ],
    [
      "a mock of getServerSession",
      "src/tests/page.test.ts",
      'import { getServerSession } from "next-auth"\nvi.mock("next-auth", () => ({ getServerSession: vi.fn() }))\nvi.mocked(getServerSession).mockResolvedValue(null)\n',
      /src\/tests\/page\.test\.ts:3: getServerSession doesn't exist/,
    ],
    [
      "a mock of getServerSession without its import",
      "__tests__/page.test.js",
      'jest.mock("next-auth/next", () => ({\n  getServerSession: jest.fn(),\n}))\n',
      /__tests__\/page\.test\.js:2: getServerSession doesn't exist/,
    ],
    [
      "a mock of getServerSession in next-auth",
      "test/page.test.ts",
      'vi.mock("next-auth", () => ({\n  getServerSession: vi.fn(),\n}))\n',
      /test\/page\.test\.ts:2: getServerSession doesn't exist/,
    ],
    [
      "a spy on getServerSession",
      "src/tests/page.test.ts",
      'import * as nextAuth from "next-auth"\njest.spyOn(nextAuth, "getServerSession")\n',
      /src\/tests\/page\.test\.ts:2: getServerSession doesn't exist/,
    ],
    [
      "getServerSession after require",
      "src/tests/page.test.js",
      'jest.mock("next-auth")\nconst { getServerSession } = require("next-auth")\n',
      /src\/tests\/page\.test\.js:2: getServerSession doesn't exist/,
    ],
    [
      "a wrapper with the old name",
      "lib/get-session.ts",
      'import { getServerSession as read } from "next-auth"\nexport const getServerSession = (...args: unknown[]) => wrap(read, args)\n',
      /lib\/get-session\.ts:2: getServerSession doesn't exist/,
    ],
    [
      "decode without a salt",
      "lib/token.ts",
      'import { decode } from "next-auth/jwt"\nexport const read = (token: string) => decode({ token, secret: "" })\n',
      /lib\/token\.ts:2: `decode` needs `salt`/,
    ],
    [
      "a mock of the options",
      "src/tests/page.test.ts",
      '// A page reads its session.\nvi.mock("../../lib/auth", () => ({ authOptions: {} }))\n',
      /src\/tests\/page\.test\.ts:2: The code calls `auth` of lib\/auth\.ts now/,
    ],
    [
      "a handler with code of its own",
      "lib/handler.ts",
      'import NextAuth from "next-auth"\nimport { authOptions } from "./auth"\nconst handler = NextAuth(authOptions)\nexport const GET = (req: Request) => (log(req), handler(req))\n',
      /lib\/handler\.ts:3: `NextAuth\(\)` returns/,
    ],
    [
      "a route with code of its own",
      "app/api/auth/[...nextauth]/route.ts",
      'import NextAuth from "next-auth"\nimport { authOptions } from "../../../../lib/auth"\nasync function handler(req, context) {\n  const options = { ...authOptions, debug: req.url.includes("debug") }\n  return NextAuth(req, context, options)\n}\nexport { handler as GET, handler as POST }\n',
      /route\.ts:5: creates its handler in an unusual way/,
    ],
    [
      "a route with require",
      "pages/api/auth/[...nextauth].js",
      'const NextAuth = require("next-auth").default\nmodule.exports = NextAuth({ providers: [] })\n',
      /\[\.\.\.nextauth\]\.js:1: creates its handler in an unusual way/,
    ],
    [
      "a mock by its path",
      "__mocks__/next-auth/react.ts",
      "export const useSession = () => ({ status: null })\n",
      /__mocks__\/next-auth\/react\.ts:1: mocks next-auth by its path/,
    ],
    [
      "jwt.encode and jwt.decode",
      "lib/jwt.ts",
      'import type { NextAuthOptions } from "next-auth"\nexport const part: Partial<NextAuthOptions> = {\n  jwt: {\n    encode: async ({ token, secret }) => sign(token, secret),\n  },\n}\n',
      /lib\/jwt\.ts:4: `jwt\.encode` gets `salt`/,
    ],
    [
      "an error in authorize",
      "lib/credentials.ts",
      'import Credentials from "next-auth/providers/credentials"\nexport const provider = Credentials({\n  credentials: {},\n  async authorize() {\n    throw new Error("No such user")\n  },\n})\n',
      /lib\/credentials\.ts:5: The message of an error in `authorize`/,
    ],
    [
      "the request in authorize",
      "lib/credentials.ts",
      'import Credentials from "next-auth/providers/credentials"\nexport const provider = Credentials({\n  credentials: {},\n  authorize: async (_, req) => find(req.headers["x-id"]),\n})\n',
      /lib\/credentials\.ts:4: The second argument of `authorize` is a `Request`/,
    ],
    [
      "the name of a cookie",
      "lib/cookie.ts",
      'import { cookies } from "next/headers"\nexport const has = async () => (await cookies()).has("__Secure-next-auth.session-token")\n',
      /lib\/cookie\.ts:2: names a cookie of next-auth/,
    ],
    [
      "the name of a cookie in a template",
      "e2e/login.ts",
      "export const cookieName = (prefix: string) => `${prefix}next-auth.session-token`\n",
      /e2e\/login\.ts:1: names a cookie of next-auth/,
    ],
    [
      "httpOptions",
      "lib/google.ts",
      'import Google from "next-auth/providers/google"\nexport const google = Google({\n  clientId: "",\n  clientSecret: "",\n  httpOptions: { timeout: 10000 },\n})\n',
      /lib\/google\.ts:5: `httpOptions` doesn't exist/,
    ],
    [
      "Twitter with OAuth 1.0",
      "lib/twitter.ts",
      'import Twitter from "next-auth/providers/twitter"\nexport const twitter = Twitter({ clientId: "", clientSecret: "" })\n',
      /lib\/twitter\.ts:2: Twitter uses OAuth 2\.0/,
    ],
    [
      "an ID token of an OAuth provider",
      "lib/own.ts",
      'import type { OAuthConfig } from "next-auth/providers"\nexport const own: OAuthConfig<object> = {\n  id: "own", name: "Own", type: "oauth",\n  idToken: true,\n}\n',
      /lib\/own\.ts:4: `idToken` is an option of OpenID providers/,
    ],
    [
      "fields of events.signOut",
      "lib/events.ts",
      'import type { NextAuthOptions } from "next-auth"\nexport const part: Partial<NextAuthOptions> = {\n  events: {\n    signOut: ({ token }) => log(token),\n  },\n}\n',
      /lib\/events\.ts:4: The argument of `events\.signOut`/,
    ],
    [
      "a logger with codes",
      "lib/logger.ts",
      'import type { NextAuthOptions } from "next-auth"\nexport const part: Partial<NextAuthOptions> = {\n  logger: { error(code, metadata) { log(code, metadata) } },\n}\n',
      /lib\/logger\.ts:3: `logger\.error` gets one argument/,
    ],
    [
      "a tenant of Entra ID",
      "lib/options.ts",
      'import type { NextAuthOptions } from "next-auth"\nimport AzureAD from "next-auth/providers/azure-ad"\nexport const o: NextAuthOptions = {\n  providers: [AzureAD({ clientId: "", clientSecret: "", tenantId: "x" })],\n}\n',
      /lib\/options\.ts:4: `tenantId` doesn't exist/,
    ],
    [
      "a provider with email without a server",
      "lib/email.ts",
      'import Email from "next-auth/providers/email"\nexport const email = Email({ from: "a@example.com", sendVerificationRequest: send })\n',
      /lib\/email\.ts:2: The provider needs `server`/,
    ],
    [
      "a variable in a deployment",
      "docker-compose.yml",
      "services:\n  web:\n    environment:\n      NEXTAUTH_URL: https://app.example\n",
      /docker-compose\.yml:4: sets or reads NEXTAUTH_URL/,
    ],
    [
      "a variable in a workflow",
      ".github/workflows/deploy.yml",
      "jobs:\n  build:\n    env:\n      NEXTAUTH_SECRET: ${{ secrets.NEXTAUTH_SECRET }}\n",
      /\.github\/workflows\/deploy\.yml:4: sets or reads NEXTAUTH_SECRET/,
    ],
    [
      "a variable in a Dockerfile",
      "Dockerfile",
      "FROM node:24\nARG NEXTAUTH_URL\n",
      /Dockerfile:2: sets or reads NEXTAUTH_URL/,
    ],
    [
      "a pattern in the configuration of tests",
      "jest.config.js",
      'module.exports = {\n  transformIgnorePatterns: ["node_modules/(?!(next-auth|jose)/)"],\n}\n',
      /jest\.config\.js:2: names a package of Auth\.js/,
    ],
    [
      "a pnpm catalog",
      "pnpm-workspace.yaml",
      "catalog:\n  next-auth: ^4.24.0\n",
      /pnpm-workspace\.yaml:2: names a package of Auth\.js/,
    ],
    [
      "an override of the package",
      "package.json",
      manifest({ next: "^15.0.0", "next-auth": "^4.24.0" }, { overrides: { "next-auth": { nodemailer: "7.0.7" } } }),
      /package\.json:\d+: names a package of Auth\.js/,
    ],
    [
      "a type without a counterpart",
      "lib/types.ts",
      'import type { RequestInternal } from "next-auth"\nexport type R = RequestInternal\n',
      /lib\/types\.ts:1: Latchkey has no type RequestInternal/,
    ],
    [
      "a module without a counterpart",
      "lib/types.ts",
      'import type { CookieOption } from "next-auth/core/types"\nexport type C = CookieOption\n',
      /lib\/types\.ts:1: next-auth\/core\/types has no counterpart/,
    ],
    [
      "an auth route on the edge runtime",
      "app/members/route.ts",
      'import { auth } from "@/auth"\nexport const runtime = "edge"\nexport const GET = auth((request) => Response.json(request.auth))\n',
      /app\/members\/route\.ts:2: This Route Handler runs on the edge runtime/,
    ],
    [
      "an OAuth 1.0 provider",
      "lib/auth.ts",
      'import type { NextAuthOptions } from "next-auth"\nexport const authOptions: NextAuthOptions = { providers: [{\n  id: "old", name: "Old", type: "oauth", version: "1.0A",\n}] }\n',
      /lib\/auth\.ts:\d+: OAuth 1\.0 isn't supported/,
    ],
    [
      "an adapter without a known version",
      "package.json",
      manifest({ next: "^15.0.0", "next-auth": "^4.24.0", "@next-auth/fauna-adapter": "^1.0.0" }),
      /package\.json:\d+: @auth\/fauna-adapter replaces/,
    ],
    [
      "Next.js 13",
      "package.json",
      manifest({ next: "^13.5.0", "next-auth": "^4.24.0" }),
      /package\.json: @latchkey\/next needs Next\.js 14/,
    ],
  ])("%s", async (_, path, text, words) => {
    const { code, open } = await migrated({ [path]: text })
    expect(open.filter((line) => words.test(line))).toHaveLength(1)
    expect(code).toBe(1)
  })
})

test("an adapter that a middleware loads is an open point on the edge runtime only", async () => {
  const files = { "lib/auth.ts": version4["lib/auth.ts"].replace("providers", "adapter: adapt(db), providers") }
  const middleware = 'export { default } from "next-auth/middleware"\n'
  const onEdge = await migrated({ ...files, "middleware.ts": middleware })
  expect(onEdge.open).toEqual([expect.stringMatching(/lib\/auth\.ts:\d+: The middleware now loads the adapter/)])
  const onNode = await migrated({ ...files, "proxy.ts": middleware })
  expect(onNode.open).toEqual([])
  expect(await read(onNode.folder, "proxy.ts")).toBe('export { auth as proxy } from "./lib/auth"\n')
})

test.each([
  ["a text", "app/page.tsx", 'export default () => <a title="next-auth">next-auth</a>\n'],
  ["the name of a logger", "lib/log.ts", 'export const log = create({ name: "next-auth" })\n'],
  ["a comment", "lib/log.ts", "// next-auth.session-token is the old cookie\nexport {}\n"],
  ["a link", "app/page.tsx", 'export default () => <a href="https://next-auth.js.org/getting-started">Docs</a>\n'],
  ["an adapter of version 5", "lib/db.ts", 'import { D } from "@auth/drizzle-adapter"\nexport { D }\n'],
  [
    "the keywords of package.json",
    "package.json",
    manifest({ next: "^15.0.0", "next-auth": "^4.24.0" }, { keywords: ["next-auth"] }),
  ],
  ["a path of the application", "tsconfig.json", '{ "include": ["types/next-auth.d.ts"] }\n'],
  [
    "the name of its own cookies",
    "lib/own.ts",
    'import type { NextAuthOptions } from "next-auth"\nexport const part: Partial<NextAuthOptions> = {\n  cookies: { sessionToken: { name: "next-auth.session-token", options: {} } },\n}\n',
  ],
])("%s is no open point", async (_, path, text) => {
  const { code, open } = await migrated({ [path]: text })
  expect(open).toEqual([])
  expect(code).toBe(0)
})

describe("what it can't replace stays as it is:", () => {
  test("an import of a removed module or a missing provider stays, and so does the package", async () => {
    const middleware =
      'import { withAuth } from "next-auth/middleware"\nexport default withAuth({ callbacks: { authorized: ({ token }) => token?.sub === "1" } })\n'
    const provider = 'import Gone from "next-auth/providers/no-such-service"\nexport const gone = Gone({})\n'
    const { folder, open } = await migrated({ "middleware.ts": middleware, "lib/gone.ts": provider })
    expect(await read(folder, "middleware.ts")).toBe(middleware)
    expect(await read(folder, "lib/gone.ts")).toBe(provider)
    const { dependencies } = JSON.parse(await read(folder, "package.json")) as { dependencies: object }
    expect(dependencies).toMatchObject({ "next-auth": "^4.24.0", "@latchkey/next": "^0.1.0" })
    expect(open).toContainEqual(expect.stringMatching(/package\.json:\d+: next-auth stays/))
  })

  test("open points are found again the next time, and nothing else changes", async () => {
    const { folder } = await migrated({
      "src/tests/a.test.ts": 'const cookie = "next-auth.session-token"\n',
      "middleware.ts": 'import { withAuth } from "next-auth/middleware"\nexport default withAuth(() => undefined)\n',
    })
    const before = await filesOf(folder)
    const again = await latchkey(folder, ["migrate", "--write"])
    expect(again.code).toBe(1)
    expect(again.stdout).toContain("src/tests/a.test.ts:1: names a cookie")
    expect(again.stdout).toContain("middleware.ts:2: The middleware stays")
    expect(await filesOf(folder)).toEqual(before)
  })
})

describe("@auth/solid-start", () => {
  const application = (dependencies: Readonly<Record<string, string>>) =>
    migrated({
      "package.json": manifest({ "@auth/solid-start": "^0.19.0", ...dependencies }),
      "lib/auth.ts":
        'import { SolidAuth } from "@auth/solid-start"\n\nexport const { GET, POST } = SolidAuth({ providers: [] })\n',
      "app/api/auth/[...nextauth]/route.ts": "export {}\n",
    })

  test("needs no other change on SolidStart 2", async () => {
    const { code, open, folder } = await application({ "@solidjs/start": "^2.0.0" })
    expect(open).toEqual([])
    expect(code).toBe(0)
    expect(await read(folder, "lib/auth.ts")).toContain('from "@latchkey/solid-start"')
  })

  test.each([[{ "solid-start": "^0.2.14" }], [{ "@solidjs/start": "^1.1.0" }]])(
    "needs SolidStart 2 first, with %j",
    async (dependencies) => {
      const { code, open, folder } = await application(dependencies)
      const point = "package.json: @latchkey/solid-start needs SolidStart 2 or newer. Update SolidStart first."
      expect(open).toEqual([point])
      expect(code).toBe(1)
      const again = await latchkey(folder, ["migrate", "--check"])
      expect(again).toMatchObject({ code: 1, stdout: expect.stringContaining(point) as string })
    },
  )
})
