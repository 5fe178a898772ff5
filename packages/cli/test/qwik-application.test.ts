import { spawn } from "node:child_process"
import { once } from "node:events"
import { cp, mkdir, realpath, symlink } from "node:fs/promises"
import { dirname, join } from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"
import { browse } from "../../../tests/applications/http.js"
import { install } from "../../../tests/applications/install.js"
import { freePort } from "../../../tests/applications/processes.js"
import { serve } from "../../../tests/qwik/serve.js"
import { application, latchkey, manifest, read, root, write } from "./latchkey.js"

const majors = [
  { major: 1, core: "@builder.io/qwik", router: "@builder.io/qwik-city", plugin: "qwikCity" },
  { major: 2, core: "@qwik.dev/core", router: "@qwik.dev/router", plugin: "qwikRouter" },
] as const

const secret = "AUTH_SECRET=mZ4QvK1t8xY0cR7bN3sW9eH6jL2pD5gUa+fT1oXiVkE="

/** A new application of Qwik, with the packages that it has installed. */
async function qwikApplication({ major, core, router, plugin }: (typeof majors)[number]): Promise<string> {
  const compilerOptions = {
    target: "ES2022",
    module: "ES2022",
    moduleResolution: "Bundler",
    lib: ["ES2023", "DOM"],
    jsx: "react-jsx",
    jsxImportSource: core,
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    types: ["node"],
  }
  const folder = await application({
    "package.json": manifest({}, { devDependencies: { [core]: "*", [router]: "*", vite: "*" } }),
    "tsconfig.json": JSON.stringify({ compilerOptions, include: ["src/routes"] }),
    "vite.config.js": `import { ${plugin} } from "${router}/vite"\nimport { qwikVite } from "${core}/optimizer"\nexport default { plugins: [${plugin}(), qwikVite()] }\n`,
    "src/routes/index.tsx": `import { component$ } from "${core}"\nexport default component$(() => <a href="/account/">Account</a>)\n`,
  })
  await cp(join(root, `tests/qwik/only-${major}`), folder, { recursive: true })
  const installed = join(root, `tests/qwik/with-${major}/node_modules`)
  const modules = join(folder, "node_modules")
  await mkdir(modules)
  for (const name of [core, router, "vite"]) await link(join(installed, name), join(modules, name))
  await link(join(root, "node_modules/@types/node"), join(modules, "@types/node"))
  await install(join(root, "packages/qwik"), modules, "@latchkey/qwik")
  return folder
}

async function link(target: string, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await symlink(await realpath(target), path, "dir")
}

/** Runs a program in the folder. @returns its output if it fails, else nothing */
async function failureOf(folder: string, args: readonly string[]): Promise<string> {
  const { PATH = "", HOME = "" } = process.env
  const child = spawn(process.execPath, args, { cwd: folder, env: { PATH, HOME } })
  let output = ""
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (output += String(part)))
  const [code] = (await once(child, "close")) as [number | null]
  return code === 0 ? "" : output
}

const compile = [join(root, "node_modules/typescript/bin/tsc"), "-p", "."]
const vite = ["node_modules/vite/bin/vite.js", "build"]

describe.each(majors)("in an application of Qwik $major", (versions) => {
  test("the files of `init` compile and build, and the page requires a session", async () => {
    const folder = await qwikApplication(versions)
    expect((await latchkey(folder, ["init", "--provider", "github", "apple", "auth0"])).code).toBe(0)
    expect(await failureOf(folder, compile)).toBe("")

    const plugin = "src/routes/plugin@auth.ts"
    const text = await read(folder, plugin)
    const credentials =
      'Credentials({ credentials: { name: {} }, authorize: ({ name }) => ({ id: "1", name: String(name) }) })'
    await write(
      folder,
      plugin,
      `import Credentials from "@latchkey/qwik/providers/credentials"\n${text.replace("providers: [", `providers: [${credentials}, `)}`,
    )
    expect(await failureOf(folder, vite)).toBe("")
    expect(await failureOf(folder, [...vite, "--config", "vite.server.js"])).toBe("")
    const variables = [secret, "AUTH_GITHUB_ID=a", "AUTH_GITHUB_SECRET=b", "AUTH_APPLE_ID=a", "AUTH_APPLE_SECRET=b"]
    const auth0 = ["AUTH_AUTH0_ID=a", "AUTH_AUTH0_SECRET=b", "AUTH_AUTH0_ISSUER=https://acme.auth0.example"]
    const env = Object.fromEntries([...variables, ...auth0].map((line) => line.split(/=(.*)/, 2)))
    const port = await freePort()
    const site = await serve({ folder }, { ...env, AUTH_URL: `http://localhost:${port}/auth` }, port)
    onTestFinished(site.stop)

    const browser = browse(site.origin, "/auth")
    await browser.get("/account/?tab=1")
    expect(browser.location).toBe(`${site.origin}/auth/signin?callbackUrl=%2Faccount%2F%3Ftab%3D1`)
    expect(browser.text).toContain("GitHub")
    await browser.submitForm("callback/credentials", { name: "Ada" })
    expect([browser.location, browser.text]).toEqual([
      `${site.origin}/account/?tab=1`,
      expect.stringMatching(/Hello (?:<!--[^>]*-->)*Ada/),
    ])
    await browser.submitForm("qaction")
    expect([browser.location, await browser.session()]).toEqual([`${site.origin}/`, null])
  }, 240_000)
})
