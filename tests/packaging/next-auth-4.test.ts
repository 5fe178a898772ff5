import { execFile } from "node:child_process"
import { cp, mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { root } from "./compiler.js"
import { packAll } from "./installed.js"

const run = promisify(execFile)

describe("@latchkey/next-auth-4, packed and installed as next-auth without any other package of Latchkey", () => {
  let project = ""

  beforeAll(async () => {
    project = await mkdtemp(join(tmpdir(), "latchkey-bridge-"))
    const [tarball = ""] = await packAll(["next-auth-4"])
    const modules = join(project, "node_modules")
    await mkdir(join(modules, "next-auth"), { recursive: true })
    await run("tar", ["-xzf", tarball, "-C", join(modules, "next-auth"), "--strip-components=1"])
    await rm(dirname(tarball), { recursive: true, force: true })
    const installed = join(root, "packages", "next-auth-4", "node_modules")
    for (const name of ["next", "react"])
      await cp(join(installed, name), join(modules, name), { recursive: true, dereference: true })
    await cp(join(root, "tests", "packaging", "next-auth-4.cjs"), join(project, "program.cjs"))
  })
  afterAll(async () => rm(project, { recursive: true, force: true, maxRetries: 3 }))

  test("works with `require`, on Node that can't require an ES module", async () => {
    const flags = ["--no-experimental-require-module", "program.cjs"]
    const { stdout } = await run(process.execPath, flags, {
      cwd: project,
      env: { ...process.env, NODE_PATH: undefined },
    })
    expect(JSON.parse(stdout)).toEqual({ user: { name: "Ada" }, server: "Ada", sub: "1", kinds: "function,function" })
  })

  test("has a version that packages for next-auth 4 accept", async () => {
    const { version } = JSON.parse(await readFile(join(project, "node_modules/next-auth/package.json"), "utf8")) as {
      version: string
    }
    const [major, minor, patch] = version.split(".").map(Number)
    expect([major, minor]).toEqual([4, 24])
    expect(patch).toBeGreaterThan(15)
  })

  test("has a declaration beside each module", async () => {
    const files = await readdir(join(project, "node_modules/next-auth/dist/cjs/providers"))
    const modules = files.filter((file) => file.endsWith(".cjs")).map((file) => file.slice(0, -4))
    const declarations = files.filter((file) => file.endsWith(".d.cts")).map((file) => file.slice(0, -6))
    expect(new Set(declarations)).toEqual(new Set(modules))
  })
})
