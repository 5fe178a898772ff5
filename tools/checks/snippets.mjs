import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join, relative, sep } from "node:path"
import { blocksOf } from "../guide-blocks.mjs"
import { capture, Failure } from "../shell.mjs"
import { filesBelow, packages, root } from "../workspace.mjs"

/** docs/ is a workspace package, so its examples resolve their imports the way an app does. */
const docs = join(root, "docs")

/** Frameworks with a compiler configuration of their own, such as for JSX. An example belongs to the one that it imports. */
const programs = [
  { name: "qwik", pattern: /"(?:@builder\.io|@latchkey)\/qwik/ },
  { name: "sveltekit", pattern: /"(?:@sveltejs\/kit|@latchkey\/sveltekit)/ },
  { name: "solid", pattern: /"(?:solid-js|@solidjs\/|@latchkey\/solid|~\/auth")/ },
]

/** Compiles every example in Markdown and JSDoc against the built packages, each as a module. */
export async function checkSnippets() {
  for (const folder of [docs, ...packages().map((pkg) => pkg.folder)]) {
    rmSync(join(folder, ".snippets"), { recursive: true, force: true })
  }
  const snippets = sources().flatMap(snippetsIn)
  for (const { file, code } of snippets) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, code)
  }
  for (const config of ["tsconfig.json", ...programs.map(({ name }) => `tsconfig.${name}.json`)]) {
    const { code, output } = await capture("tsc", ["-p", join(root, "docs", config)], { cwd: root })
    if (code !== 0)
      throw new Failure(output.replace(/(\S*)\.snippets\/(\S+?\.(?:md|ts))\/(\S+?)\(/g, "$1$2 ($3) (").trim())
  }
  console.log(`  ${snippets.length} examples`)
}

function sources() {
  const documents = filesBelow(join(root, "docs")).filter((path) => path.endsWith(".md"))
  const atRoot = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md"].map((name) => join(root, name))
  const ofPackages = packages().flatMap((pkg) => [
    join(pkg.folder, "README.md"),
    ...filesBelow(join(pkg.folder, "src")).filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts")),
  ])
  return [...documents, ...atRoot, ...ofPackages].filter((path) => existsSync(path))
}

/** Every block keeps its line number, so the compiler's messages point into the document. @param {string} path */
function snippetsIn(path) {
  const text = path.endsWith(".md") ? readFileSync(path, "utf8") : examplesOf(readFileSync(path, "utf8"))
  const examples = blocksOf(text).filter(({ language }) => language === "ts" || language === "tsx")
  const folder = dirname(examples[0]?.file ?? "")
  const names = new Set()
  return examples.flatMap((example, index) => {
    const { code, flags, line, file: named, adds } = example
    if (flags.includes("no-check")) return []
    const isModule = /^\s*(?:import|export)\b/m.test(code)
    const isOwn = named !== undefined && !adds && !names.has(named) && programOf(code) === undefined
    names.add(named)
    const name = isOwn ? named : join(named === undefined ? folder : dirname(named), numbered(index, example))
    return [
      { file: join(snippetFile(path), name), code: `${"\n".repeat(line - 1)}${code}${isModule ? "" : "export {}\n"}` },
    ]
  })
}

/** The name of an example that can't have that of its file. @param {number} index @param {{ code: string, language: string }} example */
function numbered(index, { code, language }) {
  const program = programOf(code)
  return [index, ...(program === undefined ? [] : [program]), language].join(".")
}

/** @param {string} code */
function programOf(code) {
  return programs.find(({ pattern }) => pattern.test(code))?.name
}

/** An example belongs to its package, and can import what the package depends on. @param {string} path */
function snippetFile(path) {
  const owner = packages().find(({ folder }) => path.startsWith(folder + sep))?.folder ?? docs
  return join(owner, ".snippets", relative(owner, path).replaceAll("..", ""))
}

/** The lines of `@example` in JSDoc. Every other line is blank. @param {string} source */
function examplesOf(source) {
  let inExample = false
  return source
    .split("\n")
    .map((line) => {
      const comment = /^\s*\*(?!\/) ?(.*)$/.exec(line)?.[1]
      if (comment === undefined) inExample = false
      else if (comment.startsWith("@")) inExample = comment.startsWith("@example")
      return inExample && comment !== undefined ? comment : ""
    })
    .join("\n")
}
