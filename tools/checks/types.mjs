import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { basename, dirname, join, relative } from "node:path"
import { build } from "../commands/build.mjs"
import { must, withEach } from "../shell.mjs"
import { filesBelow, packages, root } from "../workspace.mjs"

/** Compiles the packages, and what `tsc -b` doesn't cover: tests, these tools, the site, type tests, Next.js applications. */
export async function checkTypes() {
  await build()
  const projects = [
    sharedTests(),
    join(root, "tools"),
    join(root, "site"),
    ...ownTests(),
    ...typeTests(),
    join(root, "examples", "qwik"),
  ]
  await withEach(projects, async (project) =>
    must("tsc", ["-p", relative(root, project)], { cwd: root, advice: "Fix the errors above." }),
  )
  await withEach([...examplesWithTypes(), ...nextApplications()], typesOf)
}

/** @param {string} folder an example whose framework generates types from its routes */
async function typesOf(folder) {
  if (!nextApplications().includes(folder)) {
    return must("pnpm", ["run", "--silent", "types"], { cwd: folder, advice: "Fix the errors above." })
  }
  const next = join(folder, "node_modules", "next", "dist", "bin", "next")
  await must(process.execPath, [next, "typegen"], { cwd: folder, advice: "See its output above." })
  await must("tsc", ["-p", ".", "--noEmit"], { cwd: folder, advice: "Fix the errors above." })
}

/** The tests of all packages. tsconfig.json lists the projects whose sources they import. @returns {string} the tsconfig file */
function sharedTests() {
  const config = join(root, "node_modules", ".cache", "tests.json")
  const from = (/** @type {string} */ path) => relative(dirname(config), join(root, path))
  /** @type {{ references: { path: string }[] }} */
  const { references } = JSON.parse(readFileSync(join(root, "tsconfig.json"), "utf8"))
  mkdirSync(dirname(config), { recursive: true })
  const projects = references.map(({ path }) => ({ path: from(path) }))
  writeFileSync(config, JSON.stringify({ extends: from("tsconfig.tests.json"), references: projects }))
  return config
}

/** Their script `types` compiles them, because their frameworks generate types from the routes. */
function examplesWithTypes() {
  return readdirSync(join(root, "examples"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(root, "examples", name))
    .filter((folder) => existsSync(join(folder, "package.json")))
    .filter((folder) => readFileSync(join(folder, "package.json"), "utf8").includes('"types":'))
}

/** Their types depend on files that Next.js generates from their pages. */
function nextApplications() {
  return ["next", "next-custom", "next-pages"].map((name) => join(root, "examples", name))
}

/** Tests with a program of their own. Those of Next.js, for example, change the type of `process.env`. */
function ownTests() {
  const others = [
    join(root, "tests", "next"),
    join(root, "tests", "qwik"),
    join(root, "tests", "sveltekit"),
    join(root, "tests", "interop", "differential"),
    join(root, "tests", "interop", "next-auth-4"),
    join(root, "tests", "interop", "entry-points"),
  ]
  const folders = [...packages().map(({ folder }) => join(folder, "test")), ...others]
  return folders.filter((folder) => existsSync(join(folder, "tsconfig.json")))
}

/** One program per file, because a file can augment our interfaces. @returns {string[]} their tsconfig files */
function typeTests() {
  return packages()
    .flatMap((owner) => filesBelow(join(owner.folder, "test", "types")).map((path) => ({ path, ...owner })))
    .filter(({ path }) => path.endsWith(".test-d.ts"))
    .map(({ path, short, folder }) => {
      const config = join(root, "node_modules", ".cache", "type-tests", `${short}.${basename(path)}.json`)
      const base = relative(dirname(config), join(root, "tsconfig.tests.json"))
      mkdirSync(dirname(config), { recursive: true })
      // Those for browsers have the types of the DOM.
      const isForBrowsers = readFileSync(join(folder, "tsconfig.json"), "utf8").includes('"DOM"')
      const own = isForBrowsers ? { compilerOptions: { lib: ["ES2023", "DOM", "DOM.Iterable"] } } : {}
      writeFileSync(config, JSON.stringify({ extends: base, ...own, files: [path], include: [] }))
      return config
    })
}
