import { execFile } from "node:child_process"
import { cp, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, beforeAll, expect, test } from "vitest"

const core = fileURLToPath(new URL("../../packages/core", import.meta.url))
const run = promisify(execFile)

let alone: string

beforeAll(async () => {
  alone = await mkdtemp(join(tmpdir(), "latchkey-core-"))
  for (const path of ["dist", "package.json"]) await cp(join(core, path), join(alone, path), { recursive: true })
})

afterAll(async () => rm(alone, { recursive: true, force: true }))

/** Asks the built provider for options in a new process, and returns them or the message of the error. */
async function useIn(folder: string, { conditions = "default", imports = "" } = {}): Promise<unknown> {
  const program = `${imports}
    import Passkey from "@latchkey/core/providers/passkey"
    const used = Passkey().simpleWebAuthn.generateAuthenticationOptions({ rpID: "app.test" })
    console.log(JSON.stringify(await used.catch(({ message }) => message)))`
  const args = [`--conditions=${conditions}`, "--input-type=module", "--eval", program]
  const { stdout } = await run(process.execPath, args, { cwd: folder })
  return JSON.parse(stdout)
}

test("a passkey provider uses @simplewebauthn/server if it's installed, and otherwise says how to install it", async () => {
  expect(await useIn(core)).toMatchObject({ rpId: "app.test" })
  expect(await useIn(alone)).toContain("npm install @simplewebauthn/server@14")
})

test("with the conditions of an edge bundle, it uses the library only if a file registers it", async () => {
  const conditions = "edge-light"
  const imports = 'import "@latchkey/core/edge/webauthn"'
  expect(await useIn(core, { conditions })).toContain('import "@latchkey/next/edge/webauthn"')
  expect(await useIn(core, { conditions, imports })).toMatchObject({ rpId: "app.test" })
  expect(await useIn(alone, { conditions, imports })).toContain("npm install @simplewebauthn/server@14")
})
