import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { get, type IncomingMessage } from "node:http"
import { join } from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"
import {
  application,
  besideExpress,
  besideNext,
  filesOf,
  jsonOf,
  latchkey,
  manifest,
  read,
  root,
  write,
} from "./latchkey.js"

const alias = '{\n  // as create-next-app writes it\n  "compilerOptions": { "paths": { "@/*": ["./*"] } }\n}\n'

function next(version: string, more: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {
    "package.json": manifest({ next: version, react: "19.0.0" }),
    "app/page.js": "export default () => null\n",
    ...more,
  }
}

describe("latchkey init", () => {
  test.each([
    ["16.1.0", "proxy"],
    ["15.0.0", "middleware"],
    ["^14.2.0", "middleware"],
  ])("writes the file that Next.js %s runs before each request", async (version, name) => {
    const folder = await application(next(version, { "tsconfig.json": alias }))
    expect((await latchkey(folder, ["init"])).code).toBe(0)
    expect(Object.keys(await filesOf(folder))).toEqual(
      [
        ".env.local",
        "app/account/page.tsx",
        "app/api/auth/[...nextauth]/route.ts",
        "app/page.js",
        "auth.ts",
        `${name}.ts`,
        "package.json",
        "tsconfig.json",
      ].toSorted(),
    )
    expect(await read(folder, `${name}.ts`)).toContain(`export { auth as ${name} } from "@/auth"`)
    expect(await read(folder, "app/api/auth/[...nextauth]/route.ts")).toContain('from "@/auth"')
    expect(JSON.parse(await read(folder, "package.json"))).toMatchObject({
      dependencies: { "@latchkey/next": "^0.1.0", next: version },
    })
  })

  test("reads the session inside Suspense, because new applications have Cache Components", async () => {
    const folder = await application(next("16.1.0", { "tsconfig.json": alias }))
    await latchkey(folder, ["init"])
    const page = await read(folder, "app/account/page.tsx")
    const [, component = ""] = /async function (\w+)\(\) \{\s+const session = await requireSession/.exec(page) ?? []
    expect(page).toMatch(new RegExp(`<Suspense>\\s+<${component} />\\s+</Suspense>`))
  })

  test("supports JavaScript, relative imports and the folder src", async () => {
    const folder = await application({ "package.json": manifest({ next: "16.0.0" }), "src/pages/index.js": "" })
    const report = jsonOf(await latchkey(folder, ["init", "--json"]))
    expect(report).toMatchObject({
      ok: true,
      framework: "next",
      written: [
        "src/auth.js",
        "src/app/api/auth/[...nextauth]/route.js",
        "src/proxy.js",
        "src/pages/account.js",
        "package.json",
        ".env.local",
      ],
    })
    expect(await read(folder, "src/app/api/auth/[...nextauth]/route.js")).toContain('from "../../../../auth"')
    expect(await read(folder, "src/proxy.js")).toContain('from "./auth"')
  })

  test.each([
    ["auth.ts", "auth.ts"],
    ["auth.js", "auth.js"],
    ["middleware.ts", "middleware.ts"],
    ["app/api/auth/[...nextauth]/route.ts", "route.ts"],
  ])("writes no file if %s exists already", async (path, named) => {
    const folder = await application(next("16.0.0", { "tsconfig.json": alias, [path]: "// mine\n" }))
    const before = await filesOf(folder)
    const { code, stderr } = await latchkey(folder, ["init"])
    expect(code).toBe(1)
    expect(stderr).toContain(named)
    expect(await filesOf(folder)).toEqual(before)
  })

  test("writes no file if one of them can't be written", async () => {
    const folder = await application(
      next("16.0.0", { "tsconfig.json": alias, "app/account": "a file where a folder is needed" }),
    )
    const before = await filesOf(folder)
    const { code, stderr } = await latchkey(folder, ["init"])
    expect(code).toBe(1)
    expect(stderr).toContain("No file was written")
    expect(await filesOf(folder)).toEqual(before)
  })

  test("--dry-run shows the files without secrets, and writes nothing", async () => {
    const folder = await application(next("16.0.0"))
    const before = await filesOf(folder)
    const { code, stdout } = await latchkey(folder, ["init", "--dry-run", "--provider", "github"])
    expect(code).toBe(0)
    expect(stdout).toContain("providers: [GitHub]")
    expect(stdout).not.toMatch(/[A-Za-z0-9+/]{43}=/)
    expect(await filesOf(folder)).toEqual(before)
  })

  test("keeps an existing secret and dependency", async () => {
    const folder = await application({
      "package.json": '{\n\t"dependencies": { "next": "16.0.0", "@latchkey/next": "0.0.9" }\n}',
      ".env.local": "AUTH_SECRET=mine\n",
    })
    expect((await latchkey(folder, ["init"])).code).toBe(0)
    expect(await read(folder, ".env.local")).toBe("AUTH_SECRET=mine\n")
    expect(await read(folder, "package.json")).toBe(
      '{\n\t"dependencies": { "next": "16.0.0", "@latchkey/next": "0.0.9" }\n}',
    )
  })

  test.each([
    ["remix", 2, /no framework "remix"\. Choose one of next, /],
    [undefined, 1, /no framework that this command knows/],
  ])("reports an unsupported framework: %s", async (named, expected, words) => {
    const folder = await application({ "package.json": manifest({}) })
    const { code, stderr } = await latchkey(folder, named === undefined ? ["init"] : ["init", named])
    expect(code).toBe(expected)
    expect(stderr).toMatch(words)
  })
})

const strict = {
  compilerOptions: {
    target: "ES2022",
    lib: ["dom", "dom.iterable", "esnext"],
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    esModuleInterop: true,
    module: "esnext",
    moduleResolution: "bundler",
    jsx: "preserve",
    types: ["node", "react"],
    paths: { "@/*": ["./*"] },
  },
  include: ["**/*.ts", "**/*.tsx"],
}

const types = {
  "@types/node": join(root, "node_modules/@types/node"),
  "@types/react": join(root, "packages/next/node_modules/@types/react"),
  "@types/express": join(root, "examples/demo/node_modules/@types/express"),
}

async function compile(folder: string): Promise<string> {
  const child = spawn(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", "."], { cwd: folder })
  let output = ""
  child.stdout.on("data", (part) => (output += String(part)))
  await once(child, "close")
  return output
}

describe("the written files compile", () => {
  const both = JSON.stringify(strict)
  test.each([
    ["Next.js with the App Router", next("16.0.0", { "tsconfig.json": both }), besideNext],
    [
      "Next.js with the Pages Router",
      {
        "package.json": manifest({ next: "15.0.0" }),
        "pages/index.tsx": "export default () => null\n",
        "tsconfig.json": both,
      },
      besideNext,
    ],
    ["Express", { "package.json": manifest({ express: "5.0.0" }), "tsconfig.json": both }, besideExpress],
  ])("for %s, with several providers", async (_, files, modules) => {
    const folder = await application(files, { ...modules, ...types })
    expect((await latchkey(folder, ["init", "--provider", "github", "apple", "auth0"])).code).toBe(0)
    expect(await compile(folder)).toBe("")
  })
})

interface Running {
  readonly origin: string
}

async function started(
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Running> {
  const { PATH = "", HOME = "" } = process.env
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { PATH, HOME, NEXT_TELEMETRY_DISABLED: "1", ...env },
    detached: true,
  })
  onTestFinished(() => stop(child))
  let output = ""
  return new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (part) => {
        output += String(part)
        const origin = /http:\/\/localhost:\d+/.exec(output)?.[0]
        if (origin !== undefined && /Ready in|up at/.test(output)) resolve({ origin })
      })
    }
    child.once("close", (code) => reject(new Error(`It exited with ${code}:\n${output}`)))
  })
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.pid === undefined) return
  const closed = once(child, "close")
  process.kill(-child.pid, "SIGKILL")
  await closed
}

describe("the written files work", () => {
  test("in Express: the sign-in page, the session, and a page that requires a session", async () => {
    const folder = await application({ "package.json": manifest({ express: "5.3.0" }) }, besideExpress)
    const report = jsonOf(await latchkey(folder, ["init", "--provider", "github", "--json"]))
    const [{ lines }] = report["additions"] as [{ lines: readonly [string, ...string[]] }]
    const server = [
      'import express from "express"',
      lines[0],
      "const app = express()",
      ...lines.slice(1),
      'const server = app.listen(0, "localhost", () => console.log(`up at http://localhost:${server.address().port}`))',
    ]
    await write(folder, "server.js", server.join("\n"))
    const { origin } = await started(folder, ["--env-file=.env", "server.js"], {
      AUTH_GITHUB_ID: "a",
      AUTH_GITHUB_SECRET: "b",
    })
    expect(await (await fetch(`${origin}/auth/signin`)).text()).toContain("GitHub")
    expect(await (await fetch(`${origin}/auth/session`)).json()).toBeNull()
    // `fetch` says that it isn't a browser that opens a page.
    expect((await fetch(`${origin}/account`)).status).toBe(401)
    const [page] = (await once(get(`${origin}/account`, { headers: { accept: "text/html" } }), "response")) as [
      IncomingMessage,
    ]
    expect([page.statusCode, page.headers.location]).toEqual([303, "/auth/signin?callbackUrl=%2Faccount"])
  })

  test("in Next.js 16: a build without a secret, the sign-in page, and a page that requires a session", async () => {
    const layout = "export default ({ children }) => <html><body>{children}</body></html>\n"
    const config = 'export default { turbopack: { root: "/" } }\n'
    const folder = await application(next("16.4.6", { "app/layout.js": layout, "next.config.mjs": config }), besideNext)
    expect((await latchkey(folder, ["init", "--provider", "github"])).code).toBe(0)
    const program = "node_modules/next/dist/bin/next"
    const { PATH = "", HOME = "" } = process.env
    const build = spawn(process.execPath, [program, "build"], {
      cwd: folder,
      env: { PATH, HOME, NEXT_TELEMETRY_DISABLED: "1" },
    })
    expect(await once(build, "close")).toEqual([0, null])
    const { origin } = await started(folder, [program, "start", "-H", "localhost", "-p", "0"], {
      AUTH_GITHUB_ID: "a",
      AUTH_GITHUB_SECRET: "b",
      AUTH_URL: "http://localhost/api/auth",
    })
    expect(await (await fetch(`${origin}/api/auth/signin`)).text()).toContain("GitHub")
    const members = await fetch(`${origin}/account`, { redirect: "manual" })
    expect([members.status, members.headers.get("location")]).toEqual([
      307,
      expect.stringContaining("/api/auth/signin?callbackUrl="),
    ])
  }, 240_000)
})
