import { realpathSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import fc from "fast-check"
import { expect, test } from "vitest"
import { assign } from "../src/project/env-text.js"
import { root } from "./latchkey.js"

interface File {
  readonly path: string
  readonly contents: string
  readonly env: Readonly<Record<string, string>>
}

/** Reads the files into `process.env`, and adds the parsed variables to each. */
type ProcessEnv = (files: readonly File[], folder: string, log: Console, force: boolean) => unknown

test("Next.js, which expands variables, reads a written value back unchanged", () => {
  const next = realpathSync(join(root, "tests/next/with-16/node_modules/next/package.json"))
  const { processEnv } = createRequire(next)("@next/env") as { processEnv: ProcessEnv }
  const parts = fc.constantFrom("a", "$", "${", "}", "$HOME", "B", "=", "/", "+", "#", " x", "1", "'", '"', "\\")
  const values = fc.array(parts, { minLength: 1, maxLength: 12 }).map((list) => list.join("").trim())
  const { PATH } = process.env
  fc.assert(
    fc.property(values, (value) => {
      // These can't be quoted, and a backslash before `$` has a meaning in Next.js.
      fc.pre(value !== "" && !(value.includes("'") && /["\\]/.test(value)) && !value.includes("\\$"))
      const file: File = { path: ".env.local", contents: assign("LATCHKEY_TEST", value, { expands: true }), env: {} }
      processEnv([file], root, console, true)
      delete process.env["LATCHKEY_TEST"]
      expect(file.env["LATCHKEY_TEST"]).toBe(value)
    }),
    { numRuns: 500, seed: 1 },
  )
  delete process.env["__NEXT_PROCESSED_ENV"]
  expect(process.env["PATH"]).toBe(PATH)
})
