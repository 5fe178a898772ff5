import type { Browser } from "../packages/testing/src/browser/model.js"
import { expect } from "vitest"

/** Expects that the token at `/token` makes the auth routes accept a form that only this browser can send. */
export async function expectToken(browser: Browser, typed: Readonly<Record<string, string>>): Promise<void> {
  await browser.post("/auth/callback/credentials", typed)
  expect(await browser.session()).toBeNull()
  const csrfToken = await (await browser.fetch("/token")).text()
  expect(csrfToken).toMatch(/^[0-9a-f]{64}$/)
  await browser.post("/auth/callback/credentials", { ...typed, csrfToken })
  expect(await browser.session()).toMatchObject({ user: { name: typed["name"] } })
}
