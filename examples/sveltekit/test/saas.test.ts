import { randomBytes } from "node:crypto"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { remove } from "../../../tests/applications/install.js"
import { freePort, host, launch, type Running } from "../../../tests/applications/processes.js"
import { inChromium } from "../../../tests/browser/chromium.js"
import { openStrictPage } from "../../../tests/browser/strict-page.js"
import { walkThrough } from "../../../tests/browser/walk.js"
import { build, variables } from "../../../tests/frameworks/build.js"
import type { Framework } from "../../../tests/frameworks/framework.js"

const example: Framework = {
  id: "sveltekit-saas",
  name: "SvelteKit",
  major: 3,
  example: "sveltekit",
  build: [["vite", "build"]],
  start: ["node", "serve.mjs"],
  pages: true,
  client: false,
}

inChromium("the SaaS with SvelteKit", (visit) => {
  let folder: string | undefined
  let server: Running | undefined
  let origin = ""

  beforeAll(async () => {
    folder = await build(example, async () => undefined)
    const port = await freePort()
    origin = `http://${host}:${port}`
    const env = {
      AUTH_SECRET: randomBytes(33).toString("base64"),
      AUTH_URL: `${origin}/auth`,
      DATABASE_FILE: join(folder, "harbor.db"),
      MAILBOX: "on",
      HOST: host,
      PORT: String(port),
    }
    server = launch(example.start, { cwd: folder, env: variables(example, folder, env) })
    await server.until((output) => output.includes("Listening") || undefined)
  }, 420_000)

  afterAll(async () => {
    await server?.stop()
    if (folder !== undefined) await remove(folder)
  })

  test.each([
    { scripts: "with JavaScript", javaScriptEnabled: true },
    { scripts: "without JavaScript", javaScriptEnabled: false },
  ])(
    "a user signs up, sets up a second factor, and resets the password, $scripts",
    async ({ javaScriptEnabled }) => {
      const page = await openStrictPage(visit, { javaScriptEnabled })
      await walkThrough(page, { origin, basePath: "/auth" }, `ada-${javaScriptEnabled ? 1 : 0}@harbor.example`)
      expect(server?.output()).not.toContain("Error")
    },
    240_000,
  )
})
