// Sources and declarations, then what `tsc -b` does not cover: tests, the tools themselves, type tests.
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { basename, dirname, join, relative } from "node:path"
import { build } from "../commands/build.mjs"
import { must } from "../shell.mjs"
import { filesBelow, packages, root } from "../workspace.mjs"

export async function checkTypes() {
  await build()
  for (const project of [join(root, "tsconfig.tests.json"), join(root, "tools"), ...ownTests(), ...typeTests()]) {
    await must("tsc", ["-p", relative(root, project)], { cwd: root, advice: "correct what the compiler says" })
  }
  for (const folder of nextApplications()) {
    const next = join(folder, "node_modules", "next", "dist", "bin", "next")
    await must(process.execPath, [next, "typegen"], { cwd: folder, advice: "see what Next.js says" })
    await must("tsc", ["-p", ".", "--noEmit"], { cwd: folder, advice: "correct what the compiler says" })
  }
}

/** Their types depend on files that Next.js makes from their pages. */
function nextApplications() {
  return ["next", "next-pages"].map((name) => join(root, "examples", name))
}

/** Tests that cannot be compiled with the others: those of Next.js, for one, change what `process.env` is. */
function ownTests() {
  const folders = [...packages().map(({ folder }) => join(folder, "test")), join(root, "tests", "next")]
  return folders.filter((folder) => existsSync(join(folder, "tsconfig.json")))
}

/** A program for each file, since what one adds to our interfaces would hold for all. @returns {string[]} their tsconfig files */
function typeTests() {
  return packages()
    .flatMap(({ folder, short }) => filesBelow(join(folder, "test", "types")).map((path) => ({ path, short })))
    .filter(({ path }) => path.endsWith(".test-d.ts"))
    .map(({ path, short }) => {
      const config = join(root, "node_modules", ".cache", "type-tests", `${short}.${basename(path)}.json`)
      const base = relative(dirname(config), join(root, "tsconfig.tests.json"))
      mkdirSync(dirname(config), { recursive: true })
      const compilerOptions = { lib: ["ES2023", "DOM", "DOM.Iterable"] }
      const own = short === "next" || short === "react" ? { compilerOptions } : {}
      writeFileSync(config, JSON.stringify({ extends: base, ...own, files: [path], include: [], references: [] }))
      return config
    })
}
