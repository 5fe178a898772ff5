import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { Auth, type AuthConfig, skipCSRFCheck } from "@latchkey/core"
import GitHub from "@latchkey/core/providers/github"
import { sqlite } from "@latchkey/sql/sqlite"
import { describe, expect, inject, onTestFinished, test } from "vitest"
import {
  application,
  besideExpress,
  besideNext,
  type RunResult,
  filesOf,
  jsonOf,
  latchkey,
  manifest,
  root,
  type RunOptions,
  write,
} from "./latchkey.js"
import { newDatabase } from "../../sql/test/databases.js"

const secret = "AUTH_SECRET=mZ4QvK1t8xY0cR7bN3sW9eH6jL2pD5gUa+fT1oXiVkE=\n"
const github = "AUTH_GITHUB_ID=id\nAUTH_GITHUB_SECRET=hidden-client-secret\n"
const packageJson = manifest({ next: "16.0.0", "@latchkey/next": "0.1.0" })

const auth = `import NextAuth from "@latchkey/next"
import GitHub from "@latchkey/next/providers/github"

export const { handlers, auth } = NextAuth({ providers: [GitHub] })
`

function next(files: Readonly<Record<string, string>>): Promise<string> {
  return application(
    { "package.json": packageJson, "auth.ts": auth, ".env.local": secret + github, ...files },
    besideNext,
  )
}

interface Finding {
  readonly check: string
  readonly status: string
  readonly message: string
  readonly fix?: string
}

async function doctor(
  folder: string,
  args: readonly string[] = ["--offline"],
  options?: RunOptions,
): Promise<{ findings: Finding[]; ended: RunResult }> {
  const ended = await latchkey(folder, ["doctor", "--json", ...args], options)
  return { findings: jsonOf(ended)["findings"] as Finding[], ended }
}

function of(findings: readonly Finding[], check: string): Finding[] {
  return findings.filter((one) => one.check === check)
}

describe("a valid configuration", () => {
  test("exits with 0, and shows the redirect URI of each provider", async () => {
    const folder = await next({ ".env.production": "AUTH_URL=https://app.example/api/auth\n" })
    const { findings, ended } = await doctor(folder)
    expect(ended.code).toBe(0)
    expect(findings.filter(({ status }) => status !== "ok")).toEqual([])
    expect(of(findings, "provider github")[0]?.message).toBe(
      "redirect URI http://localhost:3000/api/auth/callback/github",
    )
    const production = await doctor(folder, ["--offline", "--production"])
    expect(of(production.findings, "provider github")[0]?.message).toContain(
      "https://app.example/api/auth/callback/github",
    )
    expect(ended.stdout + production.ended.stdout).not.toContain("hidden-client-secret")
  })

  test("is reported as text, too", async () => {
    const { code, stdout } = await latchkey(await next({}), ["doctor", "--offline"])
    expect(code).toBe(0)
    expect(stdout).toMatch(/✔ secret .*\n[^]*✔ provider github  redirect URI [^]*no problems, no warnings\n$/)
  })

  test("may be lazy and split, and use aliases, JSX and server-only", async () => {
    const folder = await next({
      "tsconfig.json": '{ "compilerOptions": { "paths": { "@/*": ["./*"] } } }',
      "lib/config.ts":
        'import type { NextAuthConfig } from "@latchkey/next"\nimport GitHub from "@latchkey/next/providers/github"\nexport const config: NextAuthConfig = { providers: [GitHub] }\n',
      "auth.ts":
        'import "server-only"\nimport NextAuth from "@latchkey/next"\nimport { config } from "@/lib/config"\nimport { Logo } from "@/logo"\nexport const { auth } = NextAuth(async () => ({ ...config, providers: () => config.providers, theme: { logo: Logo.path } }))\n',
      "logo.tsx": 'export const Logo = { path: "/logo.svg", draw: () => <svg /> }\n',
    })
    const { findings } = await doctor(folder)
    expect(of(findings, "configuration")).toEqual([{ check: "configuration", status: "ok", message: "no problems" }])
    expect(of(findings, "provider github")[0]?.status).toBe("ok")
  })
})

test.each([["--offline"], ["--offline", "--no-load"]])(
  "http for a public site is a warning with --production (%j)",
  async (...args) => {
    const folder = await next({ ".env.production": "AUTH_URL=http://erp.company.example/api/auth\n" })
    expect(of((await doctor(folder, args)).findings, "insecure-url")).toEqual([])
    const { findings } = await doctor(folder, [...args, "--production"])
    expect(of(findings, "insecure-url")).toMatchObject([{ status: "warning" }])
  },
)

describe("problems", () => {
  test("are reported together, with advice, and exit with 1", async () => {
    const folder = await next({
      ".env.local": "AUTH_SECRET=short\nNEXTAUTH_URL=http://localhost:3000\n",
      "auth.ts": `import NextAuth from "@latchkey/next"
import GitHub from "@latchkey/next/providers/github"
import Auth0 from "@latchkey/next/providers/auth0"
export const { auth } = NextAuth({ secret: "in-the-source", providers: [GitHub, Auth0], session: { maxAge: -1 }, pages: { signIn: "//evil" } })
`,
    })
    const { findings, ended } = await doctor(folder)
    expect(ended.code).toBe(1)
    const seen = findings.filter(({ status }) => status === "problem").map(({ check }) => check)
    expect(seen).toEqual(
      expect.arrayContaining(["session.maxAge", "pages.signIn", "provider github", "provider auth0"]),
    )
    expect(of(findings, "provider github")[0]).toMatchObject({
      message: "AUTH_GITHUB_ID, AUTH_GITHUB_SECRET aren't set",
    })
    expect(of(findings, "secret").map(({ status }) => status)).toEqual(["warning", "warning"])
    expect(of(findings, "env file")[0]?.message).toContain("NEXTAUTH_URL")
    for (const { status, fix } of findings) if (status === "problem") expect(fix).toBeTruthy()
    expect(ended.stdout).not.toContain("in-the-source")
  })

  test("an empty variable is named with the file whose value it hides", async () => {
    const folder = await next({ ".env.local": `${github}AUTH_SECRET=\n`, ".env": secret })
    const { findings } = await doctor(folder)
    expect(of(findings, "secret")[0]?.message).toContain("No secret is set")
    expect(of(findings, "env file")[0]).toMatchObject({
      message: "AUTH_SECRET in .env isn't used, because .env.local has an empty value",
      fix: "Remove the empty line from .env.local",
    })
  })

  test.each([
    ["no secret", { ".env.local": github }, "secret", "No secret is set"],
    [
      "a host instead of a URL, with the URL to set",
      { ".env.local": `${secret + github}AUTH_URL=localhost:3000\n` },
      "url",
      "has no scheme",
    ],
    ["an invalid URL", { ".env.local": `${secret + github}AUTH_URL=app.example\n` }, "url", "AUTH_URL"],
    [
      "a missing package",
      { "package.json": manifest({ next: "16.0.0" }) },
      "package",
      "@latchkey/next isn't in package.json",
    ],
    ["no configuration", { "auth.ts": "export {}\n" }, "configuration", "No configuration was found"],
  ])("%s", async (_, files, check, words) => {
    const { findings, ended } = await doctor(await next(files))
    expect(ended.code).toBe(1)
    expect(of(findings, check)).toContainEqual(
      expect.objectContaining({ status: "problem", message: expect.stringContaining(words) as string }),
    )
  })
})

describe("unknown options", () => {
  const mistaken = (security: string) => `import NextAuth from "@latchkey/next"
import GitHub from "@latchkey/next/providers/github"
export const { auth } = NextAuth({
  security: "${security}",
  trustHost: ["app.example"],
  providers: [GitHub({ clientID: "id" })],
  session: { maxage: 60 },
  callbacks: { authorized: () => true },
})
`

  test("are warnings that suggest the option that was meant", async () => {
    const { findings, ended } = await doctor(await next({ "auth.ts": mistaken("compatible") }))
    expect(ended.code).toBe(0)
    expect(of(findings, "unknown-option").map(({ status, message }) => [status, message])).toEqual([
      ["warning", expect.stringMatching(/^session\.maxage: .* Did you mean `session\.maxAge`\?/)],
      ["warning", expect.stringMatching(/^providers\[0\]\.clientID: .* Did you mean `providers\[0\]\.clientId`\?/)],
    ])
  })

  test("are problems under strict", async () => {
    const { findings, ended } = await doctor(await next({ "auth.ts": mistaken("strict") }))
    expect(ended.code).toBe(1)
    expect(of(findings, "session.maxage")).toMatchObject([
      { status: "problem", fix: expect.stringContaining("Did you mean `session.maxAge`?") },
    ])
    expect(of(findings, "providers[0].clientID")).toMatchObject([{ status: "problem" }])
  })
})

describe("the package", () => {
  const aliased = { ...besideNext, "next-auth": besideNext["@latchkey/next"] ?? "" }
  const aliasAuth = auth.replaceAll("@latchkey/next", "next-auth")

  test.each([
    ["npm:@latchkey/next@^0.1.0"],
    ["file:../packed/latchkey-next-0.1.0.tgz"],
    ["link:../packages/next"],
    ["workspace:*"],
    ["portal:../next"],
  ])("may be installed as next-auth with %s", async (range) => {
    const folder = await application(
      {
        "package.json": manifest({ next: "16.0.0", "next-auth": range }),
        "auth.ts": aliasAuth,
        ".env.local": secret + github,
      },
      aliased,
    )
    const { findings, ended } = await doctor(folder)
    expect(of(findings, "package")).toEqual([
      { check: "package", status: "ok", message: "@latchkey/next 0.1.0, installed as next-auth" },
    ])
    expect(of(findings, "provider github")[0]?.status).toBe("ok")
    expect(ended.code).toBe(0)
  })

  test("may be a development dependency, or one of the monorepo", async () => {
    const folder = await application(
      {
        "package.json": manifest({}, { devDependencies: { "@latchkey/next": "workspace:*" } }),
        "apps/web/package.json": manifest({ next: "16.0.0" }),
        "apps/web/auth.ts": auth,
        "apps/web/.env.local": secret + github,
      },
      besideNext,
    )
    const { findings } = await doctor(join(folder, "apps/web"))
    expect(of(findings, "package")[0]?.status).toBe("ok")
  })

  test.each([
    ["isn't installed", { "@latchkey/next": "^0.1.0" }, {}, "isn't installed"],
    [
      "isn't installed yet in place of next-auth",
      { "next-auth": "npm:@latchkey/next@^0.1.0" },
      { "next-auth": join(root, "tests/interop/node_modules/next-auth") },
      "but next-auth 5.0.0-beta.32 is installed",
    ],
    ["isn't installed from a folder", { "next-auth": "link:../next" }, {}, "isn't installed"],
    [
      "is next-auth itself",
      { "next-auth": "^5.0.0" },
      { "next-auth": join(root, "tests/interop/node_modules/next-auth") },
      "isn't in package.json",
    ],
  ])("is a problem if it %s", async (_, dependencies, modules, words) => {
    const folder = await application(
      { "package.json": manifest({ next: "16.0.0", ...dependencies }), "auth.ts": auth, ".env.local": secret + github },
      modules,
    )
    const { findings, ended } = await doctor(folder, ["--offline", "--no-load"])
    expect(of(findings, "package")[0]).toMatchObject({
      status: "problem",
      message: expect.stringContaining(words) as string,
    })
    expect(ended.code).toBe(1)
  })

  test("is a problem if the configuration still imports next-auth", async () => {
    const { findings } = await doctor(await next({ "auth.ts": aliasAuth }), ["--offline", "--no-load"])
    expect(of(findings, "package").map(({ status, message }) => [status, message])).toEqual([
      ["ok", "@latchkey/next 0.1.0"],
      ["problem", "auth.ts imports next-auth, which isn't Latchkey"],
    ])
  })
})

describe("tsconfig.json", () => {
  test.each([
    ["bundler", '{ "compilerOptions": { "module": "esnext", "moduleResolution": "Bundler" } }', []],
    ["preserve", '{ "compilerOptions": { "module": "preserve" } }', []],
    ["nodenext", '{ "compilerOptions": { "module": "NodeNext" } }', []],
    ["node, which typesVersions supports", '{ "compilerOptions": { "moduleResolution": "node" } }', []],
    ["classic", '{ // old\n "compilerOptions": { "moduleResolution": "classic" } }', ["problem"]],
    ["classic by default", '{ "compilerOptions": { "module": "esnext" } }', ["problem"]],
    ["classic in a base", '{ "extends": "./base" }', ["problem"]],
  ])("with the module resolution %s", async (_, tsconfig, statuses) => {
    const { findings } = await doctor(
      await next({
        "tsconfig.json": tsconfig,
        "base.json": '{ "compilerOptions": { "moduleResolution": "classic" } }',
      }),
    )
    expect(of(findings, "typescript").map(({ status }) => status)).toEqual(statuses)
  })

  test("in a CommonJS application with node16 is a problem", async () => {
    const folder = await application(
      {
        "package.json": manifest({ express: "5.0.0", "@latchkey/express": "0.1.0" }, { type: "commonjs" }),
        "tsconfig.json": '{ "compilerOptions": { "module": "node16" } }',
      },
      besideExpress,
    )
    expect(of((await doctor(folder)).findings, "typescript")[0]?.message).toContain("node16")
  })
})

describe("the base path", () => {
  const route = 'export { GET, POST } from "@/auth"\nimport { handlers } from "@/auth"\n'

  test.each([
    ["the default", "", "app/api/auth/[...nextauth]/route.ts", "/api/auth", "ok"],
    [
      "AUTH_URL without a path",
      "AUTH_URL=https://app.example\n",
      "app/api/auth/[...nextauth]/route.ts",
      "/api/auth",
      "ok",
    ],
    [
      "AUTH_URL with the same path",
      "AUTH_URL=https://app.example/auth/\n",
      "app/(group)/auth/[...nextauth]/route.ts",
      "/auth",
      "ok",
    ],
    [
      "AUTH_URL with another path",
      "AUTH_URL=https://app.example/auth\n",
      "app/api/auth/[...nextauth]/route.ts",
      "/auth",
      "problem",
    ],
    [
      "NEXTAUTH_URL with another path",
      "NEXTAUTH_URL=https://app.example/x\n",
      "src/app/api/auth/[...nextauth]/route.ts",
      "/x",
      "problem",
    ],
    ["a route at another path", "", "app/auth/[...nextauth]/route.ts", "/api/auth", "problem"],
  ])("of Next.js with %s", async (_, env, path, basePath, status) => {
    const { findings, ended } = await doctor(await next({ [path]: route, ".env.local": secret + github + env }))
    expect(of(findings, "base path")).toEqual([
      expect.objectContaining({ status, message: expect.stringContaining(basePath) as string }),
    ])
    expect(ended.code).toBe(status === "ok" ? 0 : 1)
  })

  const config =
    'import type { ExpressAuthConfig } from "@latchkey/express"\nimport GitHub from "@latchkey/express/providers/github"\nexport const authConfig: ExpressAuthConfig = { providers: [GitHub] }\n'
  const express = (server: string, env = "") =>
    application(
      {
        "package.json": manifest({ express: "5.0.0", "@latchkey/express": "0.1.0" }),
        "config.ts": config,
        "server.ts": `import { ExpressAuth } from "@latchkey/express"\nimport express from "express"\nimport { authConfig } from "./config.js"\nconst app = express()\n${server}\napp.listen(3000)\n`,
        ".env": secret + github + env,
      },
      besideExpress,
    )

  test.each([
    ["in the server", 'app.use("/login", ExpressAuth(authConfig))', "/login"],
    ["with a wildcard", 'app.use("/login/*splat", ExpressAuth(authConfig))', "/login"],
    ["by a constant", 'const handler = ExpressAuth(authConfig)\napp.use("/login", handler)', "/login"],
    [
      "of a router",
      'const router = express.Router()\nrouter.use("/auth", ExpressAuth(authConfig))\napp.use("/api", router)',
      "/api/auth",
    ],
  ])("of Express is its mount path %s", async (_, server, path) => {
    const { findings, ended } = await doctor(await express(server))
    expect(of(findings, "base path")[0]).toMatchObject({ status: "ok", message: `${path}, as in server.ts` })
    expect(of(findings, "provider github")[0]?.message).toBe(
      `redirect URI http://localhost:3000${path}/callback/github`,
    )
    expect(ended.code).toBe(0)
  })

  test("of Express is a problem if AUTH_URL has another path", async () => {
    const folder = await express('app.use("/login", ExpressAuth(authConfig))', "AUTH_URL=https://app.example/auth\n")
    const { findings, ended } = await doctor(folder)
    expect(of(findings, "base path")[0]).toMatchObject({
      status: "problem",
      message: "AUTH_URL has the path /auth, but server.ts serves the routes at /login",
      fix: expect.stringContaining("AUTH_URL=https://app.example/login") as string,
    })
    expect(of(findings, "provider github")[0]?.message).toBe("redirect URI https://app.example/login/callback/github")
    expect(of(findings, "env-url-basepath-mismatch")).toEqual([])
    expect(ended.code).toBe(1)
  })
})

describe("the secret of the configuration", () => {
  const own = (value: string) => auth.replace("{ providers", `{ secret: ${value}, providers`)

  test("counts if the environment has none", async () => {
    const folder = await next({
      "auth.ts": own("process.env.OWN_SECRET"),
      ".env.local": `${github}OWN_${secret.slice("AUTH_".length)}`,
    })
    const { findings, ended } = await doctor(folder)
    expect(of(findings, "secret")).toEqual([{ check: "secret", status: "ok", message: "set and strong" }])
    expect(ended.code).toBe(0)
  })

  test("counts instead of the one in the environment", async () => {
    const { findings } = await doctor(
      await next({ "auth.ts": own("process.env.SHORT"), ".env.local": `${secret + github}SHORT=x\n` }),
    )
    expect(of(findings, "secret")[0]).toMatchObject({ status: "warning" })
  })

  test("isn't checked if the file isn't run", async () => {
    const folder = await next({ "auth.ts": own("process.env.OWN_SECRET"), ".env.local": github })
    expect(of((await doctor(folder, ["--offline", "--no-load"])).findings, "secret")[0]?.status).toBe("skipped")
  })
})

describe("a file that can't run is read instead", () => {
  test("its error is printed without the secrets of the environment", async () => {
    const url = "DATABASE_URL=postgres://app:hush%2Fhush-hush@db.test/app\n"
    const thrown = `throw new Error("connect " + process.env.DATABASE_URL + " as " + process.env.AUTH_GITHUB_SECRET)`
    const folder = await next({ ".env.local": secret + github + url, "auth.ts": `${auth}${thrown}\n` })
    const { ended } = await doctor(folder)
    expect(ended.stdout).toContain("connect postgres://app:[redacted]@db.test/app as [redacted]")
    expect(ended.stdout + ended.stderr).not.toMatch(/hush-hush|hidden-client-secret/)
  })

  test.each([
    ["--no-load", auth, ["--offline", "--no-load"], "--no-load"],
    ["it throws", `${auth}throw new Error("no database")\n`, ["--offline"], "no database"],
    ["it ends the process", `process.exit(3)\n${auth}`, ["--offline"], "ended the process with code 3"],
    ["it imports a missing package", `import "no-such-package"\n${auth}`, ["--offline"], "no-such-package"],
  ])("%s", async (_, text, args, reason) => {
    const folder = await next({ "auth.ts": text, ".env.local": `${secret}AUTH_GITHUB_ID=x\n` })
    const { findings } = await doctor(folder, args)
    expect(of(findings, "configuration")[0]).toMatchObject({
      status: "skipped",
      message: expect.stringContaining(reason) as string,
    })
    expect(of(findings, "provider github")[0]).toMatchObject({
      status: "problem",
      message: "AUTH_GITHUB_SECRET isn't set",
      fix: expect.stringContaining("redirect URI is http://localhost:3000/api/auth/callback/github") as string,
    })
  })

  test("it would start a server", async () => {
    const text =
      'import { ExpressAuth } from "@latchkey/express"\nimport GitHub from "@latchkey/express/providers/github"\nimport { writeFileSync } from "node:fs"\nwriteFileSync("was-run", "")\nimport express from "express"\nconst app = express()\napp.use("/login", ExpressAuth({ providers: [GitHub] }))\napp.listen(3000)\n'
    const folder = await application(
      {
        "package.json": manifest({ express: "5.0.0", "@latchkey/express": "0.1.0" }),
        "server.js": text,
        ".env": secret + github,
      },
      besideExpress,
    )
    const { findings } = await doctor(folder)
    expect(of(findings, "configuration")[0]).toMatchObject({
      status: "skipped",
      message: expect.stringContaining("start a server") as string,
    })
    expect(of(findings, "provider github")[0]).toMatchObject({
      status: "ok",
      message: expect.stringContaining("http://localhost:3000/login/callback/github") as string,
    })
    expect(Object.keys(await filesOf(folder))).not.toContain("was-run")
  })
})

type Answer = (req: IncomingMessage, res: ServerResponse) => void

async function listening(answer: Answer): Promise<string> {
  const server = createServer(answer).listen(0, "localhost")
  await once(server, "listening")
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://localhost:${(server.address() as AddressInfo).port}`
}

const oidc =
  'import NextAuth from "@latchkey/next"\nexport const { auth } = NextAuth({ providers: [{ id: "dev", name: "Dev", type: "oidc", issuer: process.env.ISSUER, clientId: "x", clientSecret: "y" }] })\n'

describe("OpenID providers", () => {
  test("their clock is compared with this machine's", async () => {
    let issuer = ""
    issuer = await listening((_, res) => {
      res.setHeader("date", new Date(Date.now() + 600_000).toUTCString())
      res.setHeader("content-type", "application/json")
      res.end(
        JSON.stringify({
          issuer,
          authorization_endpoint: `${issuer}/a`,
          token_endpoint: `${issuer}/t`,
          jwks_uri: `${issuer}/j`,
        }),
      )
    })
    const { findings, ended } = await doctor(await next({ "auth.ts": oidc }), [], { env: { ISSUER: issuer } })
    expect(of(findings, "provider dev")[0]).toMatchObject({
      status: "ok",
      message: "redirect URI http://localhost:3000/api/auth/callback/dev",
    })
    expect(of(findings, "discovery")[0]).toMatchObject({
      status: "ok",
      message: `${issuer}/.well-known/openid-configuration`,
    })
    expect(of(findings, "clock")[0]).toMatchObject({
      status: "problem",
      message: expect.stringMatching(/clock is \d+ s behind/) as string,
    })
    expect(ended.code).toBe(1)
  })

  test.each([
    [
      "responds with 404",
      (_: IncomingMessage, res: ServerResponse) => void res.writeHead(404).end(),
      /responds with 404/,
    ],
    ["doesn't respond in time", () => undefined, /can't be reached.*time/],
  ])("a provider that %s is a problem", async (_, answer, words) => {
    const issuer = await listening(answer)
    const { findings } = await doctor(await next({ "auth.ts": oidc }), ["--timeout", "0.3"], {
      env: { ISSUER: issuer },
    })
    expect(of(findings, "provider dev")[0]).toMatchObject({
      status: "problem",
      message: expect.stringContaining("can't start") as string,
    })
    expect(of(findings, "discovery")[0]?.message).toMatch(words)
  })

  test("--offline sends no requests", async () => {
    let asked = 0
    const issuer = await listening((_, res) => (asked++, void res.end()))
    const { findings } = await doctor(await next({ "auth.ts": oidc }), ["--offline"], { env: { ISSUER: issuer } })
    expect(of(findings, "discovery")[0]?.status).toBe("skipped")
    expect(of(findings, "provider dev")[0]).toMatchObject({
      status: "ok",
      message: expect.stringContaining("/callback/dev") as string,
    })
    expect(asked).toBe(0)
  })
})

describe("the database", () => {
  const withDatabase = (options: string) =>
    auth
      .replace("{ providers", `{ adapter: sqlite("app.db"${options}), providers`)
      .replace("\n", '\nimport { sqlite } from "@latchkey/sql/sqlite"\n')

  test("isn't created", async () => {
    const folder = await next({ "auth.ts": withDatabase("") })
    const { findings } = await doctor(folder)
    expect(of(findings, "database")[0]).toMatchObject({
      status: "ok",
      message: expect.stringContaining("app.db doesn't exist yet") as string,
    })
    expect(Object.keys(await filesOf(folder))).not.toContain("app.db")
  })

  test.each(["auth.ts", "auth.js", "lib/auth.mjs"])(
    "of %s gets a warning without tables, and no tables",
    async (file) => {
      const files = { "package.json": packageJson, ".env.local": secret + github, [file]: withDatabase("") }
      const folder = await application(files, besideNext)
      const { DatabaseSync } = await import("node:sqlite")
      const database = new DatabaseSync(join(folder, "app.db"))
      const { findings, ended } = await doctor(folder)
      expect(of(findings, "database")[0]).toMatchObject({
        status: "warning",
        message: expect.stringContaining("no such table") as string,
      })
      expect(ended.code).toBe(0)
      expect(database.prepare("select name from sqlite_master").all()).toEqual([])
      database.close()
    },
  )

  test.each(["app.db", "/app.db"])("may be a file with the path %s of its folder", async (path) => {
    const folder = await next({})
    const file = path.startsWith("/") ? folder + path : path
    await write(folder, "auth.ts", withDatabase("").replace("app.db", file))
    const adapter = sqlite(join(folder, "app.db"))
    await adapter.migrate()
    await adapter.close()
    expect(of((await doctor(folder)).findings, "database")[0]?.message).toMatch(/^reachable/)
  })

  test("has a connection string that isn't a URL, whose password isn't shown", async () => {
    const text = withDatabase("").replace('"app.db"', '"mysql://app:s3cr3tPassw0rd#x@127.0.0.1/app"')
    const { findings } = await doctor(await next({ "auth.ts": text.replaceAll("sqlite", "mysql") }))
    expect(of(findings, "database")[0]).toMatchObject({
      status: "problem",
      message: expect.stringContaining("isn't a valid URL") as string,
    })
    expect(JSON.stringify(findings)).not.toContain("s3cr3tPassw0rd")
  })

  test.skipIf(inject("postgres") === undefined)("gets no tables in PostgreSQL either", async () => {
    const url = await newDatabase("cli_doctor")
    const text = withDatabase("").replace('sqlite("app.db")', "postgres(process.env.DATABASE_URL)")
    const folder = await next({
      "auth.ts": text.replaceAll("sqlite", "postgres"),
      ".env.local": `${secret}${github}DATABASE_URL=${url}\n`,
    })
    const { findings } = await doctor(folder)
    expect(of(findings, "database")[0]).toMatchObject({
      status: "warning",
      message: expect.stringContaining("The tables are missing") as string,
    })
  })

  test.each([
    ["jwt", "oauth", "users, accounts"],
    ["database", "oauth", "users, accounts, sessions"],
    ["database", "email", "users, sessions, verification tokens"],
  ])("with the strategy %s and a provider of the type %s needs its own tables only", async (strategy, type, tables) => {
    const provider = `{ id: "one", name: "One", type: "${type}", clientId: "x", clientSecret: "y", authorization: "https://one.example/a", token: "https://one.example/t", userinfo: "https://one.example/u", sendVerificationRequest() {} }`
    const used = { oauth: ["getUserByAccount"], email: ["useVerificationToken"] }[type] ?? []
    const fine = ["getUserByEmail", ...used, ...(strategy === "database" ? ["getSessionAndUser"] : [])]
    const text = `import NextAuth from "@latchkey/next"
const missing = async () => { throw new Error("no such table") }
const names = "createUser getUser getUserByEmail getUserByAccount updateUser linkAccount createSession getSessionAndUser updateSession deleteSession createVerificationToken useVerificationToken getAuthenticator".split(" ")
const adapter = Object.fromEntries(names.map((name) => [name, ${JSON.stringify(fine)}.includes(name) ? async () => null : missing]))
export const { auth } = NextAuth({ adapter, session: { strategy: "${strategy}" }, providers: [${provider}] })
`
    const { findings } = await doctor(await next({ "auth.ts": text }))
    expect(of(findings, "database")[0]).toMatchObject({
      status: "ok",
      message: `reachable; checked the tables of ${tables}`,
    })
  })

  test("is fine with its tables, and a missing table or column is named", async () => {
    const folder = await next({ "auth.ts": withDatabase("") })
    const adapter = sqlite(join(folder, "app.db"))
    await adapter.migrate()
    await adapter.close()
    expect(of((await doctor(folder)).findings, "database")[0]).toMatchObject({
      status: "ok",
      message: expect.stringContaining("reachable") as string,
    })
    const { DatabaseSync } = await import("node:sqlite")
    const database = new DatabaseSync(join(folder, "app.db"))
    database.exec("alter table sessions drop column extra")
    database.close()
    expect(of((await doctor(folder)).findings, "database")[0]).toMatchObject({
      status: "warning",
      message: expect.stringContaining("extra") as string,
    })
  })
})

/** A running site: the engine in a Node server. */
async function site(
  config: Partial<AuthConfig>,
  change: (req: IncomingMessage, res: ServerResponse) => void = () => undefined,
): Promise<string> {
  const settings: AuthConfig = {
    secret: "mZ4QvK1t8xY0cR7bN3sW9eH6jL2pD5gUa+fT1oXiVkE=",
    trustHost: true,
    providers: [],
    ...config,
  }
  return listening((req, res) => {
    const headers = new Headers(Object.entries(req.headers).map(([name, value]) => [name, String(value)]))
    void Auth(new Request(`http://${req.headers.host}${req.url}`, { headers }), settings).then(async (answer) => {
      for (const [name, value] of answer.headers) if (name !== "set-cookie") res.setHeader(name, value)
      res.setHeader("set-cookie", answer.headers.getSetCookie())
      res.statusCode = answer.status
      change(req, res)
      res.end(await answer.text())
    })
  })
}

describe("a running site", () => {
  const empty = () => application({})

  test("without problems exits with 0, in a folder without an application, too", async () => {
    const providers = [GitHub({ clientId: "x" })]
    const { findings, ended } = await doctor(await empty(), [`${await site({ providers })}/auth`])
    expect(ended.code).toBe(0)
    expect(findings.map(({ check, status }) => [check, status])).toEqual([
      ["site", "ok"],
      ["cookies", "ok"],
      ["headers", "ok"],
      ["proxy headers", "ok"],
      ["clock", "ok"],
    ])
  })

  test("without a CSRF token, as with Qwik, has no problem with cookies", async () => {
    const { findings, ended } = await doctor(await empty(), [
      `${await site({ skipCSRFCheck }, (_, res) => res.removeHeader("set-cookie"))}/auth`,
    ])
    expect(of(findings, "cookies")).toMatchObject([{ status: "skipped" }])
    expect(ended.code).toBe(0)
    const cleared = await doctor(await empty(), [`${await site({ skipCSRFCheck })}/auth`])
    expect(cleared.ended.code).toBe(0)
  })

  test("without providers doesn't show whether it trusts a forged host", async () => {
    const { findings } = await doctor(await empty(), [`${await site({})}/auth`])
    expect(of(findings, "proxy headers")[0]?.status).toBe("skipped")
  })

  test.each([
    [
      "whose proxy removes cookies",
      (_: IncomingMessage, res: ServerResponse) => res.removeHeader("set-cookie"),
      "cookies",
      /sets no cookie/,
    ],
    [
      "with cookies that scripts can read",
      (_: IncomingMessage, res: ServerResponse) => void res.setHeader("set-cookie", "authjs.csrf-token=x; Path=/"),
      "cookies",
      /isn't HttpOnly/,
    ],
    [
      "without security headers",
      (_: IncomingMessage, res: ServerResponse) => res.removeHeader("content-security-policy"),
      "headers",
      /content-security-policy/,
    ],
    [
      "that caches may store",
      (_: IncomingMessage, res: ServerResponse) => void res.setHeader("cache-control", "public, max-age=60"),
      "cache",
      /public/,
    ],
  ])("%s is reported", async (_, change, check, words) => {
    const { findings } = await doctor(await empty(), [`${await site({}, change)}/auth`])
    const found = of(findings, check).filter(({ status }) => status !== "ok")
    expect(found.some(({ message }) => words.test(message))).toBe(true)
  })

  test("with another origin in its redirect URIs is reported", async () => {
    const origin = await site({ url: "https://app.example/auth", providers: [GitHub({ clientId: "x" })] })
    const { findings } = await doctor(await empty(), [`${origin}/auth`])
    expect(of(findings, "origin")[0]).toMatchObject({
      status: "problem",
      message: expect.stringContaining("https://app.example/auth/callback/github") as string,
    })
  })

  test("that doesn't respond, or responds with something else, is reported", async () => {
    const unreachable = await doctor(await empty(), ["http://localhost:9/auth"])
    expect(unreachable.findings).toEqual([
      expect.objectContaining({
        check: "site",
        status: "problem",
        message: expect.stringContaining("doesn't respond") as string,
      }),
    ])
    const other = await listening((_, res) => void res.end("<p>Hello</p>"))
    const { findings, ended } = await doctor(await empty(), [other])
    expect(findings[0]).toMatchObject({
      status: "problem",
      message: expect.stringContaining("without a list of providers") as string,
    })
    expect(ended.code).toBe(1)
  })

  test("is compared with the local configuration, at its base path", async () => {
    const folder = await next({})
    const { findings } = await doctor(folder, ["--offline", await site({ basePath: "/api/auth" })])
    expect(of(findings, "site").map(({ status }) => status)).toEqual(["ok", "warning"])
    expect(of(findings, "site")[1]?.message).toContain("github")
  })
})

describe("modules", () => {
  const withPassword = (options: string, more = "") => `import NextAuth from "@latchkey/next"
import { password } from "@latchkey/password"
import { sqlite } from "@latchkey/sql/sqlite"
${more}
export const { auth } = NextAuth({ providers: [], modules: [password()], ${options} })
`
  const modules = { ...besideNext, "@latchkey/password": join(root, "packages/password") }

  async function findingsOf(text: string, prepare?: (file: string) => Promise<void>): Promise<Finding[]> {
    const folder = await application({ "package.json": packageJson, "auth.ts": text, ".env.local": secret }, modules)
    await prepare?.(join(folder, "app.db"))
    return (await doctor(folder)).findings
  }

  const migrated = async (file: string) => {
    const adapter = sqlite(file)
    await adapter.migrate()
    await adapter.createUser({ id: "ada", email: "ada@users.test", emailVerified: new Date(0) })
    await adapter.close()
  }

  test("report that no email can be sent, and that tables are reachable", async () => {
    const findings = await findingsOf(withPassword('adapter: sqlite("app.db")'), migrated)
    expect(of(findings, "module password")).toEqual([
      expect.objectContaining({
        status: "warning",
        message: expect.stringContaining("no email can be sent") as string,
      }),
    ])
    expect(of(findings, "database")).toEqual([
      { check: "database", status: "ok", message: expect.stringMatching(/^reachable; .*records$/) as string },
    ])
  })

  test("without their table are a warning with the command", async () => {
    const findings = await findingsOf(withPassword('adapter: sqlite("app.db")'), async (file) => {
      await migrated(file)
      const database = new DatabaseSync(file)
      database.exec("drop table latchkey_records")
      database.close()
    })
    expect(of(findings, "database")).toEqual([
      expect.objectContaining({
        status: "warning",
        message: expect.stringContaining("has no table latchkey_records. Run `npx latchkey db apply`") as string,
      }),
    ])
  })

  test("with an adapter that has no records are a problem", async () => {
    const adapter = "const { records: _, ...adapter } = sqlite('app.db')"
    const findings = await findingsOf(withPassword("adapter", adapter), migrated)
    expect(findings).toContainEqual(
      expect.objectContaining({
        status: "problem",
        message: expect.stringContaining("password needs records") as string,
      }),
    )
  })
})
