import { execFileSync } from "node:child_process"
import { stat } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { application, filesOf, jsonOf, latchkey, manifest, read } from "./latchkey.js"

const line = /^AUTH_SECRET="[A-Za-z0-9+/]{43}="\n$/m

describe("latchkey secret", () => {
  test.each([
    ["Next.js", { next: "16.0.0" }, ".env.local"],
    ["Express", { express: "5.0.0" }, ".env"],
    ["SvelteKit", { "@sveltejs/kit": "3.0.0" }, ".env.local"],
    ["Next.js with an Express server", { express: "5.0.0", next: "16.0.0" }, ".env.local"],
    ["an unknown framework", {}, ".env"],
  ])("writes 32 random bytes to the env file of %s, readable by its owner only", async (_, dependencies, file) => {
    const folder = await application({ "package.json": manifest(dependencies) })
    const { code, stdout } = await latchkey(folder, ["secret"])
    expect(code).toBe(0)
    expect(await read(folder, file)).toMatch(line)
    expect((await stat(join(folder, file))).mode & 0o777).toBe(0o600)
    expect(stdout).toContain(file)
    expect(stdout).not.toMatch(/[A-Za-z0-9+/]{43}=/)
  })

  test("fills in an empty variable in place, and keeps every other byte of the file", async () => {
    const before = "# mine\r\nA='1'\r\nAUTH_SECRET=\r\n  B = 2 # two"
    const folder = await application({ "package.json": manifest({ next: "16.0.0" }), ".env.local": before })
    expect((await latchkey(folder, ["secret"])).code).toBe(0)
    const after = await read(folder, ".env.local")
    expect(after.replace(/AUTH_SECRET="[^"]{44}"/, "AUTH_SECRET=")).toBe(before)
  })

  test("replaces a secret with --force only, and says why", async () => {
    const folder = await application({
      "package.json": manifest({ next: "16.0.0" }),
      ".env.local": "AUTH_SECRET=old\n",
    })
    const refused = await latchkey(folder, ["secret"])
    expect(refused).toMatchObject({ code: 1, stdout: "" })
    expect(refused.stderr).toMatch(/signs all users out.*--force/)
    expect(await read(folder, ".env.local")).toBe("AUTH_SECRET=old\n")
    expect((await latchkey(folder, ["secret", "--force"])).code).toBe(0)
    expect(await read(folder, ".env.local")).toMatch(line)
  })

  test("--raw prints only the value, a new one each time, and writes nothing", async () => {
    const folder = await application({ "package.json": manifest({ next: "16.0.0" }) })
    const [one, two] = [await latchkey(folder, ["secret", "--raw"]), await latchkey(folder, ["secret", "--raw"])]
    expect(one.stdout).toMatch(/^[A-Za-z0-9+/]{43}=\n$/)
    expect(one.stdout).not.toBe(two.stdout)
    expect(Object.keys(await filesOf(folder))).toEqual(["package.json"])
  })

  test("warns if git would commit the file", async () => {
    const folder = await application({ "package.json": manifest({ next: "16.0.0" }), ".gitignore": "node_modules\n" })
    execFileSync("git", ["init", "-q"], { cwd: folder })
    expect(jsonOf(await latchkey(folder, ["secret", "--json"]))).toMatchObject({
      ok: true,
      file: ".env.local",
      created: true,
      warning: expect.stringContaining(".gitignore") as string,
    })
    const ignoring = await application({ "package.json": manifest({ next: "16.0.0" }), ".gitignore": ".env*\n" })
    execFileSync("git", ["init", "-q"], { cwd: ignoring })
    expect(jsonOf(await latchkey(ignoring, ["secret", "--json"]))).not.toHaveProperty("warning")
  })
})
