import { expect, test } from "vitest"

test.each([
  ["middleware", () => import("@latchkey/next/middleware")],
  ["next", () => import("@latchkey/next/next")],
])("importing the removed entry /%s throws, and names the migration guide", async (_, load) => {
  await expect(load()).rejects.toThrow(ReferenceError)
  await expect(load()).rejects.toThrow("docs/migrating-from-next-auth.md")
})
