import { execFileSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { packAll } from "./installed.js"

interface Installed {
  /** Relative to the folder of the package. */
  readonly files: readonly string[]
  readonly bytes: number
  read(file: string): string
}

let tarballs: readonly string[]
let unpacked: ReadonlyMap<string, Installed>

beforeAll(async () => {
  tarballs = await packAll()
  unpacked = new Map(tarballs.map((tarball) => [basename(tarball).replace(/-\d+\..*/, ""), unpack(tarball)]))
})

afterAll(() => {
  for (const tarball of tarballs) rmSync(dirname(tarball), { recursive: true, force: true })
})

function unpack(tarball: string): Installed {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-weight-"))
  execFileSync("tar", ["-xzf", tarball, "-C", folder])
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((item) => item.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  const text = new Map(files.map((path) => [path.slice(join(folder, "package/").length), readFileSync(path, "utf8")]))
  const bytes = files.reduce((sum, path) => sum + statSync(path).size, 0)
  rmSync(folder, { recursive: true })
  return { files: [...text.keys()], bytes, read: (file) => text.get(file) ?? "" }
}

/** The files in all packages that a rule rejects, such as `latchkey-core/src/index.ts`. */
function filesThat(rejects: (file: string, read: () => string) => boolean): readonly string[] {
  return [...unpacked].flatMap(([name, { files, read }]) =>
    files.filter((file) => rejects(file, () => read(file))).map((file) => `${name}/${file}`),
  )
}

test("no package has sources or source maps, or a comment that leads to one", () => {
  expect(unpacked.size).toBeGreaterThan(30)
  expect(filesThat((file) => file.startsWith("src/") || file.endsWith(".map"))).toEqual([])
  expect(filesThat((file, read) => /\.(?:js|ts)$/.test(file) && /^\/\/# sourceMappingURL=/m.test(read()))).toEqual([])
})

test("what the declarations of a package share is in one file", () => {
  const relative = /(?:from|import) "(\.[^"]+)"|import\("(\.[^"]+)"\)/g
  const shared = filesThat((file) => file.startsWith("dist/chunks/") && file.endsWith(".d.ts"))
  expect(shared).toContain("latchkey-core/dist/chunks/declarations.d.ts")
  expect(shared.filter((file) => !file.endsWith("/dist/chunks/declarations.d.ts"))).toEqual([])
  for (const [name, { files, read }] of unpacked) {
    const here = new Set(files)
    const imported = files
      .filter((file) => file.endsWith(".d.ts"))
      .flatMap((file) =>
        [...read(file).matchAll(relative)].map((match) => join(dirname(file), match[1] ?? match[2] ?? "")),
      )
    const lost = imported.filter((path) => !here.has(path.replace(/\.js$/, ".d.ts")))
    expect([name, lost]).toEqual([name, []])
  }
})

test("core stays small: at most 2.15 MB, and 195 files besides the logos and the providers", () => {
  const { files = [], bytes } = unpacked.get("latchkey-core") ?? {}
  expect(files.length).toBeGreaterThan(300)
  expect(bytes).toBeLessThan(2_150_000)
  expect(files.filter((file) => !/^(?:logos|dist\/providers)\//.test(file)).length).toBeLessThanOrEqual(195)
})

test("the bridge for version 4, whose CommonJS build has the engine in it, stays below 1.6 MB and 730 files", () => {
  const { files = [], bytes } = unpacked.get("latchkey-next-auth-4") ?? {}
  expect(files.length).toBeGreaterThan(300)
  expect(files.length).toBeLessThanOrEqual(730)
  expect(bytes).toBeLessThan(1_600_000)
})

/** The packages of frameworks have two small files for each provider of core. */
test("every other package stays small: at most 500 kB and 350 files", () => {
  const others = [...unpacked].filter(([name]) => name !== "latchkey-core" && name !== "latchkey-next-auth-4")
  const heavy = others.filter(([, { files, bytes }]) => files.length > 350 || bytes > 500_000)
  expect(heavy.map(([name, { files, bytes }]) => `${name}: ${files.length} files, ${bytes} bytes`)).toEqual([])
})
