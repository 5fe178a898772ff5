import { execFile, execFileSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { describe, expect, test } from "vitest"
import { api, issuer, minted, signIn, siteOf } from "./site.js"

// Verifiers in other languages, which share no code with this one.

const run = promisify(execFile)
const file = (name: string) => fileURLToPath(new URL(name, import.meta.url))

function works(command: string, ...args: readonly string[]): boolean {
  try {
    execFileSync(command, args, { stdio: "ignore" })
    return true
  } catch {
    return false
  }
}

const programs = [
  {
    name: "Python",
    needs: "python3 with the package cryptography",
    isThere: works("python3", "-c", "import cryptography"),
    command: ["python3", file("verify.py")],
  },
  { name: "Go", needs: "go", isThere: works("go", "version"), command: ["go", "run", file("verify.go")] },
] as const

describe.each(programs)("a program in $name", ({ name, needs, isThere, command: [command, ...args] }) => {
  const title = isThere ? "" : ` (skipped: ${name} needs ${needs})`

  test.skipIf(!isThere).each(["ES256", "EdDSA"] as const)(
    `verifies a token that is signed with %s${title}`,
    async (algorithm) => {
      const site = siteOf({ algorithm })
      site.clock.set(Date.now())
      const token = await minted(await signIn(site))
      const keys = await (await site.send("bearer/jwks")).text()
      const verify = async (given: string, audience = api) => run(command, [...args, keys, given, issuer, audience])
      const { stdout } = await verify(token)
      expect(JSON.parse(stdout)).toMatchObject({ sub: site.idOf("ada"), aud: api })
      await expect(verify(`${token.slice(0, -8)}AAAAAAAA`)).rejects.toThrow("refused")
      await expect(verify(token, "https://other.test")).rejects.toThrow("refused")
    },
  )
})
