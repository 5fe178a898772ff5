import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Page } from "playwright-core"
import type { Host } from "./host.js"

/** Every page that needs no preparation. */
export const pagesAt = [
  ["signin", "/auth/signin"],
  ["signin-provider", "/auth/signin/op"],
  ["signin-failed", "/auth/signin?error=CredentialsSignin&email=ada%40example.test"],
  ["signout", "/auth/signout"],
  ["error", "/auth/error"],
  ["error-configuration", "/auth/error?error=Configuration"],
  ["error-denied", "/auth/error?error=AccessDenied"],
  ["error-link", "/auth/error?error=Verification"],
  ["verify-request", "/auth/verify-request?provider=mail&type=email"],
] as const

/** The statuses of error pages. */
export const errors: ReadonlySet<number | undefined> = new Set([400, 403, 500])

/** Requests a link from another browser, and returns it without the origin. */
export async function linkTo({ origin, links }: Host, email = "ada@example.test"): Promise<string> {
  const asked = await fetch(`${origin}/auth/csrf`)
  const cookie = asked.headers
    .getSetCookie()
    .map((line) => line.split(";", 1)[0])
    .join("; ")
  const { csrfToken } = (await asked.json()) as { csrfToken: string }
  const body = new URLSearchParams({ csrfToken, email, callbackUrl: "/" })
  await fetch(`${origin}/auth/signin/mail`, { method: "POST", headers: { cookie }, body, redirect: "manual" })
  return links.at(-1)?.slice(origin.length) ?? ""
}

/** Takes a screenshot if `LATCHKEY_LOOK=1` is set. */
export async function shoot(page: Page, name: string): Promise<void> {
  if (process.env["LATCHKEY_LOOK"] === undefined) return
  await page.screenshot({ path: join(tmpdir(), "latchkey-pages", `${name}.png`) })
}
