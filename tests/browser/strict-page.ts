import type { Page } from "playwright-core"
import { expect, onTestFinished } from "vitest"
import type { Visit } from "./chromium.js"

export interface Options {
  readonly javaScriptEnabled?: boolean
  /** Paths that may log errors. */
  readonly expected?: readonly string[]
}

/** Opens a page in a new browser context. Any error or warning in its console fails the test. */
export async function openStrictPage(
  visit: Visit,
  { javaScriptEnabled = true, expected = [] }: Options = {},
): Promise<Page> {
  const { page } = await visit({ javaScriptEnabled })
  const errors: string[] = []
  page.context().on("weberror", (error) => errors.push(error.error().message))
  page.context().on("console", (message) => {
    if (message.type() !== "error" && message.type() !== "warning") return
    const { pathname } = new URL(message.location().url || page.url())
    // The built-in pages and the provider have no icon.
    if (pathname !== "/favicon.ico" && !expected.includes(pathname)) errors.push(`${message.text()} (${pathname})`)
  })
  onTestFinished(() => expect(errors).toEqual([]))
  return page
}
