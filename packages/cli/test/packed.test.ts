import { execFileSync } from "node:child_process"
import { mkdirSync, readdirSync, symlinkSync } from "node:fs"
import { dirname, join } from "node:path"
import { expect, test } from "vitest"
import { application, jsonOf, latchkey, manifest, read, root } from "./latchkey.js"

test("the packed program works outside the repository, and knows the versions of the other packages", async () => {
  const folder = await application({ "package.json": manifest({ next: "16.0.0" }), "app/page.js": "" })
  const own = join(root, "packages/cli")
  execFileSync("pnpm", ["pack", "--pack-destination", folder], { cwd: own, stdio: "ignore" })
  const tarball = readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? ""
  const installed = join(folder, "node_modules/latchkey")
  mkdirSync(installed, { recursive: true })
  execFileSync("tar", ["-xzf", tarball, "-C", installed, "--strip-components=1"], { cwd: folder })
  // npm would install these.
  const { dependencies } = JSON.parse(await read(folder, "node_modules/latchkey/package.json")) as {
    dependencies: Record<string, string>
  }
  for (const name of Object.keys(dependencies)) {
    mkdirSync(dirname(join(folder, "node_modules", name)), { recursive: true })
    symlinkSync(join(own, "node_modules", name), join(folder, "node_modules", name))
  }
  const program = join(installed, "dist/bin.js")
  expect(await latchkey(folder, ["--version"], { program })).toMatchObject({ code: 0, stdout: "0.1.0\n" })
  const made = await latchkey(folder, ["init", "--provider", "github", "--json"], { program })
  expect(jsonOf(made)).toMatchObject({ ok: true, framework: "next" })
  expect(await read(folder, "package.json")).toContain('"@latchkey/next": "^0.1.0"')
  expect(await read(folder, "auth.js")).toContain("providers: [GitHub]")
  const seen = await latchkey(folder, ["doctor", "--offline", "--json"], { program })
  expect(seen).toMatchObject({ code: 1, stderr: "" })
  expect(JSON.stringify(jsonOf(seen))).toContain("AUTH_GITHUB_ID, AUTH_GITHUB_SECRET aren't set")
})
