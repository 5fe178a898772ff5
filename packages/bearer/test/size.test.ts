import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { rolldown } from "rolldown"
import { expect, test } from "vitest"

test("the verifier is at most 3 kB, and imports nothing", async () => {
  const input = fileURLToPath(new URL("../src/verify/verify.ts", import.meta.url))
  const build = await rolldown({ input, platform: "neutral", external: () => false })
  const { output } = await build.generate({ format: "esm", minify: true })
  await build.close()
  expect(output).toHaveLength(1)
  const [{ code, moduleIds }] = output
  expect(moduleIds).toEqual([input])
  expect(gzipSync(code).length).toBeLessThanOrEqual(3000)
})
