import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { expect, test } from "vitest"

const script = fileURLToPath(new URL("unreadable-files.mjs", import.meta.url))

test("a file that couldn't be read when it was needed first is read later: each way to sign in works then", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [script])
  expect(stdout.trim().split("\n")).toEqual(["page", "oauth", "email", "credentials"])
})
