import { execFile, execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, test } from "vitest"

interface Released {
  readonly name: string
  readonly version: string
  readonly tarball: string
  readonly sbom: string
  readonly integrity: string
  readonly needs: readonly string[]
}

const root = join(import.meta.dirname, "../..")
const run = promisify(execFile)

interface Outcome {
  readonly code: number
  readonly output: string
}

async function release(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Outcome> {
  const options = { cwd: root, env: { ...process.env, ...env }, maxBuffer: 2 ** 26 }
  return run(process.execPath, ["tools/run.mjs", "release", ...args], options).then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, output: stdout + stderr }),
  )
}

/** What git knows about this checkout. */
function checkout(): string {
  const questions = [
    ["status", "--porcelain"],
    ["diff", "HEAD"],
    ["rev-parse", "HEAD"],
    ["tag", "--list"],
  ]
  return questions.map((args) => execFileSync("git", args, { cwd: root, encoding: "utf8" })).join("\n")
}

describe("a release that isn't a dry run", () => {
  test("says what is missing, and publishes nothing", async () => {
    const { code, output } = await release([], { CI: "", NODE_AUTH_TOKEN: "", NPM_TOKEN: "" })
    expect(code).toBe(1)
    expect(output).toMatch(/Missing:\n {2}CI: .*\n {2}an OIDC token.*\n {2}a token of npm/)
  })

  test("is refused with everything in place, too", async () => {
    const token = { NODE_AUTH_TOKEN: "npm_x", NPM_ID_TOKEN: "x", ACTIONS_ID_TOKEN_REQUEST_URL: "https://ci.test/" }
    const { code, output } = await release([], { CI: "true", ...token })
    expect(code).toBe(1)
    expect(output).not.toMatch(/CI: |OIDC|token of npm/)
    expect(output).toContain("the step that publishes: this command has none")
  })
})

describe("a dry run", () => {
  const out = mkdtempSync(join(tmpdir(), "latchkey-released-"))
  let before = ""
  let made: Outcome
  let packages: readonly Released[] = []
  beforeAll(async () => {
    before = checkout()
    made = await release(["--dry-run", "--skip-smoke", `--out=${out}`])
    if (made.code !== 0) throw new Error(made.output)
    // The command wrote it.
    packages = (JSON.parse(readFileSync(join(out, "release.json"), "utf8")) as { packages: Released[] }).packages
  }, 1_800_000)
  afterAll(() => rmSync(out, { recursive: true, force: true }))

  test("leaves the checkout as it was", () => {
    expect(checkout()).toBe(before)
  })

  test("has a tarball and a bill of materials for every package, and the changelog", () => {
    expect(packages.map(({ tarball }) => tarball).toSorted()).toEqual(
      readdirSync(out)
        .filter((name) => name.endsWith(".tgz"))
        .toSorted(),
    )
    expect(packages.length).toBeGreaterThan(40)
    for (const { tarball, integrity } of packages) {
      const hash = createHash("sha512").update(readFileSync(join(out, tarball)))
      expect(integrity).toBe(`sha512-${Buffer.from(hash.digest("hex"), "hex").toString("base64")}`)
    }
    expect(readFileSync(join(out, "CHANGELOG.md"), "utf8")).toContain("@latchkey/core")
  })

  test("a bill of materials names what npm installs with the package, through other packages too", () => {
    for (const { name, version, sbom, needs } of packages) {
      const text = readFileSync(join(out, sbom), "utf8")
      const bom: unknown = JSON.parse(text)
      const id = `pkg:npm/${name.replace("@", "%40")}@${version}`
      expect(bom).toMatchObject({ bomFormat: "CycloneDX", metadata: { component: { purl: id } } })
      if (needs.includes("@latchkey/core")) expect(text).toContain('"pkg:npm/oauth4webapi@')
    }
  })

  test("publishes a package after those that it needs", () => {
    const names = packages.map(({ name }) => name)
    for (const [index, { needs }] of packages.entries())
      expect(names.slice(0, index)).toEqual(expect.arrayContaining([...needs]))
    const commands = [...made.output.matchAll(/npm publish (\S+) --provenance/g)].map(([, tarball]) => tarball)
    expect(commands).toEqual(packages.map(({ tarball }) => tarball))
  })

  test("no README in a tarball links to a path", () => {
    for (const { tarball } of packages) {
      const readme = execFileSync("tar", ["-xzOf", join(out, tarball), "package/README.md"], { encoding: "utf8" })
      expect([tarball, [...readme.matchAll(/\]\((?!https?:|#|mailto:)[^)]*\)/g)].map(String)]).toEqual([tarball, []])
    }
  })

  test("says which names to claim, and that it published nothing", () => {
    expect(made.output).toMatch(/Names to claim on npm before: @latchkey, latchkey\./)
    expect(made.output).toContain("Nothing was published.")
  })
})
