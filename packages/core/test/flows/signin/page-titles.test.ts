import { memoryAdapter } from "@latchkey/adapter-kit"
import { createProvider, visit } from "@latchkey/testing"
import { expect, test } from "vitest"

test.each([
  ["/auth/signin", "Sign in to Acme &amp; Sons"],
  ["/auth/signout", "Sign out · Acme &amp; Sons"],
  ["/auth/error?error=AccessDenied", "Error · Acme &amp; Sons"],
])("the title of %s has the name of the application", async (path, title) => {
  const config = { providers: [createProvider().provider()], adapter: memoryAdapter(), theme: { name: "Acme & Sons" } }
  const browser = await visit(config)
  await browser.get(path)
  expect(/<title>(.*?)<\/title>/.exec(browser.text)?.[1]).toBe(title)
})
