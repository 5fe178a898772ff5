import { execFileSync } from "node:child_process"
import { readdirSync } from "node:fs"
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { root } from "./compiler.js"

const core = join(root, "packages", "core")
const names = readdirSync(join(core, "src", "features"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)

/** A copy of core's sources, inside of its folder so that it finds its dependencies. */
async function copyOfCore(): Promise<string> {
  const folder = await mkdtemp(join(core, "node_modules", ".features-"))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await cp(join(core, "src"), join(folder, "src"), { recursive: true })
  // What `#` imports lead to is made from these sources.
  const manifest = await readFile(join(core, "package.json"), "utf8")
  await writeFile(join(folder, "package.json"), manifest.replace(/\.\/dist\/([^"*]+)\.js/g, "./src/$1.ts"))
  const compilerOptions = {
    rootDir: "src",
    outDir: "dist",
    composite: false,
    incremental: false,
    noEmit: true,
    emitDeclarationOnly: false,
  }
  const config = {
    extends: join(core, "tsconfig.json"),
    compilerOptions,
    include: ["src"],
    exclude: ["src/**/*.test.ts"],
  }
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config))
  return folder
}

/** Takes its name out of the list of features. */
async function unlist(folder: string, name: string): Promise<void> {
  const file = join(folder, "src", "engine", "features.ts")
  const text = await readFile(file, "utf8")
  const line = new RegExp(`^import \\{ (\\w+) \\} from "\\.\\./features/${name}/feature\\.js"\\n`, "m")
  const listed = line.exec(text)?.[1]
  if (listed === undefined) throw new Error(`${file} doesn't import ${name}`)
  await writeFile(file, text.replace(line, "").replace(new RegExp(`(?<=[[ ])${listed}(?:, |(?=\\]))`), ""))
}

function problemsOf(folder: string): string {
  try {
    return execFileSync("pnpm", ["exec", "tsc", "-p", folder], { cwd: root, encoding: "utf8" })
  } catch (cause) {
    return String((cause as { readonly stdout?: unknown }).stdout)
  }
}

test.each(names)("without the folder of %s and its name in the list, core compiles", async (name) => {
  const folder = await copyOfCore()
  await rm(join(folder, "src", "features", name), { recursive: true })
  await unlist(folder, name)
  expect(problemsOf(folder)).toBe("")
})
