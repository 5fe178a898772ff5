import { afterAll, beforeAll, expect, test } from "vitest"
import { inChromium } from "../../../tests/browser/chromium.js"
import { openStrictPage } from "../../../tests/browser/strict-page.js"
import { walkThrough } from "../../../tests/browser/walk.js"
import { type RunningExample, startExample } from "../../../tests/next/running-example.js"

inChromium("the SaaS with Next.js", (visit) => {
  let example: RunningExample

  beforeAll(async () => {
    example = await startExample("next", { DATABASE_FILE: "harbor.db", MAILBOX: "on" })
  }, 420_000)

  afterAll(async () => example?.stop())

  test.each([
    { scripts: "with JavaScript", javaScriptEnabled: true },
    { scripts: "without JavaScript", javaScriptEnabled: false },
  ])(
    "a user signs up, sets up a second factor, and resets the password, $scripts",
    async ({ javaScriptEnabled }) => {
      const page = await openStrictPage(visit, { javaScriptEnabled })
      const saas = { origin: example.origin, basePath: "/api/auth" }
      await walkThrough(page, saas, `ada-${javaScriptEnabled ? 1 : 0}@harbor.example`)
      expect(example.output()).not.toContain("Error")
    },
    240_000,
  )
})
