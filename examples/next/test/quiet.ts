import type { Page } from "playwright-core"
import { expect, onTestFinished } from "vitest"
import type { Visit } from "../../../tests/browser/chromium.js"

export interface Options {
  readonly javaScriptEnabled?: boolean
  /** Paths that complaints may be about. */
  readonly expected?: readonly string[]
}

/** A page of a new visitor; whatever else the browser complains about fails the test. */
export async function openQuietly(
  visit: Visit,
  { javaScriptEnabled = true, expected = [] }: Options = {},
): Promise<Page> {
  const { page } = await visit({ javaScriptEnabled })
  // In milliseconds: sooner than the test's own end, to be told what was waited for.
  page.context().setDefaultTimeout(8000)
  const complaints: string[] = []
  page.context().on("weberror", (error) => complaints.push(error.error().message))
  page.context().on("console", (message) => {
    if (message.type() !== "error" && message.type() !== "warning") return
    const { pathname } = new URL(message.location().url || page.url())
    // Built-in pages, and the provider, have no icon of their own.
    if (pathname !== "/favicon.ico" && !expected.includes(pathname)) complaints.push(`${message.text()} (${pathname})`)
  })
  onTestFinished(() => expect(complaints).toEqual([]))
  return page
}
