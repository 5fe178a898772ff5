import { readFileSync } from "node:fs"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { browse, send } from "../applications/http.js"
import { remove } from "../applications/install.js"
import { environment, freePort, host, launch, type Site } from "../applications/processes.js"
import { secret } from "./application.js"
import { build, type Built, next } from "./build.js"
import { serve } from "./serve.js"

const guide = ["nextjs", "nextjs-server", "passkeys", "calling-provider-apis"]
  .map((page) => readFileSync(new URL(`../../docs/${page}.md`, import.meta.url), "utf8"))
  .join("\n")

/** The pages, components and handlers of the guide, by path. Of several with one path, the first. */
const samples = Object.fromEntries(
  [...guide.matchAll(/^```tsx?[^\n]*\n\/\/ ((?:app|pages|components)\/\S+|actions\.ts|proxy\.ts)\n(.*?)^```$/gms)]
    .map(([, path = "", code = ""]) => [path, code] as const)
    .toReversed(),
)

/** What create-next-app sets. */
const settings = { cacheComponents: true, partialPrefetching: true }

/** Copies, as npm installs them, so that a package of our development isn't found. */
const installed = ["@latchkey/next", "typescript", "@types/node", "@types/react"]
const alias = Object.fromEntries(installed.map((name) => [name, name]))

const pages = ["/", "/orders", "/calendars", "/sign-in", "/account", "/buttons", "/private-cache"]
/** The development server compiles each page when it's opened. */
const developedPages = ["/", "/orders"]

const problem = /⨯|error|unstable|warn/i

describe("in an application with Cache Components, as create-next-app makes it", () => {
  let built: Built

  beforeAll(async () => {
    built = await build({ folder: "cached", major: 16, files: samples, settings, alias })
  }, 420_000)

  afterAll(async () => remove(built.folder))

  test("the samples of the guide build without a message", () => {
    expect(Object.keys(samples).length).toBeGreaterThan(10)
    expect(built.output).not.toMatch(problem)
  })

  test.each([
    ["next start", start, pages],
    ["next dev", develop, developedPages],
  ])(
    "`%s` logs nothing when visitors and users open the pages",
    async (_, serveBuilt, pages) => {
      const site = await serveBuilt(built)
      try {
        const ada = browse(site.origin)
        for (const path of pages) await ada.get(path)
        await ada.signIn("credentials", { email: "ada@example.com", password: "lovelace" })
        for (const path of pages) {
          await ada.get(path)
          expect(ada.response.status, path).toBe(200)
          if (["/orders", "/private-cache"].includes(path)) expect(ada.text, path).toContain("ada@example.com")
        }
        expect(site.output()).not.toMatch(problem)
      } finally {
        await site.stop()
      }
    },
    400_000,
  )

  test("Nodemailer with an own `sendVerificationRequest` needs no package `nodemailer`", async () => {
    const site = await start(built)
    const { status, text } = await send(site.origin, "/api/mail")
    await site.stop()
    expect([status, text]).toEqual([200, '{"id":"nodemailer","path":"/api/mail"}'])
  })

  test("the proxy redirects before a page is sent", async () => {
    const site = await start(built)
    const { status, headers } = await send(site.origin, "/proxied")
    await site.stop()
    expect(status).toBe(307)
    expect(headers.get("location")).toContain("/api/auth/signin")
  })
})

async function start(built: Built): Promise<Site> {
  const port = await freePort()
  return serve(built, variables(port), port)
}

async function develop({ folder }: Built): Promise<Site> {
  const port = await freePort()
  const command = [process.execPath, next, "dev", "-H", host, "-p", String(port)] as const
  const { until, ...server } = launch(command, { cwd: folder, env: environment(variables(port)) })
  await until((output) => (output.includes("Ready in") ? true : undefined))
  return { ...server, origin: `http://${host}:${port}` }
}

function variables(port: number): Readonly<Record<string, string>> {
  return { AUTH_SECRET: secret, AUTH_URL: `http://${host}:${port}` }
}
