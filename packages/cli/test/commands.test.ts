import { describe, expect, test } from "vitest"
import { application, filesOf, jsonOf, latchkey, manifest } from "./latchkey.js"

const databaseCommands = ["db plan", "db apply", "db check", "db sweep", "db reseal"]
const commands = ["secret", "add", "init", "doctor", "migrate", "idp", ...databaseCommands]

describe("every command", () => {
  test.each(commands)("%s --help shows an example and the common options", async (command) => {
    const { code, stdout } = await latchkey(".", [...command.split(" "), "--help"])
    expect(code).toBe(0)
    expect(stdout).toMatch(new RegExp(`Examples:\\n  \\$ .*latchkey ${command}`))
    for (const option of ["--json", "--no-input", "--cwd"]) expect(stdout).toContain(option)
  })

  test.each([
    { args: [], why: "no command" },
    { args: ["secret", "--no-such-thing"], why: "an unknown option" },
    { args: ["nonsense"], why: "an unknown command" },
    { args: ["secret", "--raw", "--copy"], why: "two options that can't be combined" },
    { args: ["add"], why: "no provider without a terminal" },
    { args: ["add", "githb"], why: "an unknown provider" },
    { args: ["add", "github", "google", "--client-id", "x"], why: "one client for two providers" },
    { args: ["init", "rails"], why: "an unknown framework" },
    { args: ["doctor", "nonsense"], why: "an invalid URL" },
    { args: ["doctor", "--timeout", "soon"], why: "an invalid number" },
    { args: ["migrate", "--write", "--check"], why: "two options that can't be combined" },
    { args: ["idp", "--port", "http"], why: "an invalid port" },
  ])("exits with 2 for $why, and writes nothing: $args", async ({ args }) => {
    const folder = await application({ "package.json": manifest({ next: "16.0.0" }) })
    const { code, stderr } = await latchkey(folder, args)
    expect(code).toBe(2)
    expect(stderr).not.toMatch(/^\s+at /m)
    expect(Object.keys(await filesOf(folder))).toEqual(["package.json"])
  })

  test.each(["add github", "init", "doctor", "migrate"])("%s reports a folder without an application", async (args) => {
    const folder = await application({})
    const { code, stdout, stderr } = await latchkey(folder, args.split(" "))
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" })
    expect(stderr).toMatch(/^✘ Neither .* has a package\.json\. .*--cwd\.\n$/)
    expect(jsonOf(await latchkey(folder, [...args.split(" "), "--json"]))).toEqual({
      ok: false,
      error: expect.stringContaining("has a package.json") as string,
    })
  })

  test.each([
    "add github --config src",
    "doctor --config src",
    "db plan --config src",
    "add apple --key-file src",
    "idp --people src",
  ])("%s says that a folder isn't a file", async (args) => {
    const auth = 'import NextAuth from "@latchkey/next"\nexport const { handlers } = NextAuth({ providers: [] })\n'
    const folder = await application({ "package.json": manifest({ next: "16.0.0" }), "src/auth.ts": auth })
    const { code, stderr } = await latchkey(folder, args.split(" "))
    expect(stderr).toMatch(/^✘ There is no file .*src/)
    expect(code).toBe(2)
  })

  test("a folder with the name of an env file isn't read", async () => {
    const auth = 'import NextAuth from "@latchkey/next"\nexport const { handlers } = NextAuth({ providers: [] })\n'
    const files = { "package.json": manifest({ next: "16.0.0" }), "auth.ts": auth, ".env/a.txt": "" }
    const folder = await application(files)
    expect(await latchkey(folder, ["add", "github", "--no-input"])).toMatchObject({ code: 0, stderr: "" })
  })

  test("--cwd sets the folder, and package.json may be in a folder above it", async () => {
    const folder = await application({ "package.json": manifest({ next: "16.0.0" }), "src/deep/file.txt": "" })
    expect((await latchkey("/", ["secret", "--cwd", `${folder}/src/deep`])).code).toBe(0)
    expect(Object.keys(await filesOf(folder))).toContain(".env.local")
  })
})
