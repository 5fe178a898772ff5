// Loads the sources with a counter at the start of each function: `node --import ./tools/journeys/count.mjs <program>`.
import { existsSync, readFileSync } from "node:fs"
import { registerHooks } from "node:module"
import { join, relative, sep } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { parseSync, transformSync, Visitor } from "rolldown/utils"
import { root } from "../workspace.mjs"

const packages = join(root, "packages")

/** What a journey visited: the files, the calls of each, and the moves from one to another. */
export class Walk {
  /** @type {Map<string, number>} */
  calls = new Map()
  /** @type {string[]} */
  path = []

  /** @param {string} file */
  enter(file) {
    this.calls.set(file, (this.calls.get(file) ?? 0) + 1)
    if (this.path.at(-1) !== file) this.path.push(file)
  }
}

/** @type {Walk | undefined} */
let current

Object.assign(globalThis, { countCall: (/** @type {string} */ file) => current?.enter(file) })

/** @template T @param {() => T | Promise<T>} work @returns {Promise<{ result: T, walk: Walk }>} */
export async function walked(work) {
  const walk = new Walk()
  current = walk
  try {
    return { result: await work(), walk }
  } finally {
    current = undefined
  }
}

registerHooks({
  resolve(specifier, context, next) {
    const found = sourceOf(specifier, context.parentURL)
    if (found !== undefined) return { url: found, shortCircuit: true }
    const owner = /^(?:@latchkey\/)?(core|adapter-kit|hono|next)(?:\/|$)/.exec(specifier)?.[1]
    const parentURL = owner && pathToFileURL(join(packages, owner, "package.json")).href
    const resolved = next(specifier, { ...context, ...(parentURL && { parentURL }) })
    return { ...resolved, url: builtFrom(resolved.url) ?? resolved.url }
  },
  load(url, context, next) {
    if (!isSource(url)) return next(url, context)
    return { format: "module", source: counted(fileURLToPath(url)), shortCircuit: true }
  },
})

/** A relative import of a source, which names the built file. @param {string} specifier @param {string | undefined} parent */
function sourceOf(specifier, parent) {
  if (parent === undefined || !isSource(parent) || !specifier.startsWith(".")) return undefined
  return typescriptOf(fileURLToPath(new URL(specifier, parent)))
}

/** The source of a built file of this repository. @param {string} url */
function builtFrom(url) {
  if (!url.startsWith(pathToFileURL(packages).href)) return undefined
  return typescriptOf(fileURLToPath(url).replace(`${sep}dist${sep}`, `${sep}src${sep}`))
}

/** @param {string} path */
function typescriptOf(path) {
  const found = [".ts", ".tsx"].map((extension) => path.replace(/\.js$/, extension)).find((file) => existsSync(file))
  return found === undefined ? undefined : pathToFileURL(found).href
}

/** @param {string} url */
function isSource(url) {
  return url.startsWith(pathToFileURL(packages).href) && /\.tsx?$/.test(url)
}

/** @param {string} path */
function counted(path) {
  const [folder = "", , ...rest] = relative(packages, path).split(sep)
  const { code } = transformSync(path, readFileSync(path, "utf8"))
  return withCalls(code, `countCall(${JSON.stringify([folder, ...rest].join("/"))})`)
}

/** Puts a call at the start of each function. @param {string} code @param {string} call */
function withCalls(code, call) {
  /** @type {[at: number, text: string][]} */
  const added = []
  const block = (/** @type {{ body: { start: number } | null }} */ { body }) => {
    if (body !== null) added.push([body.start + 1, `${call};`])
  }
  new Visitor({
    FunctionDeclaration: block,
    FunctionExpression: block,
    ArrowFunctionExpression(arrow) {
      if (arrow.body.type === "BlockStatement") block(arrow)
      else added.push([arrow.body.start, `(${call},`], [arrow.body.end, ")"])
    },
  }).visit(parseSync("counted.js", code).program)
  return added
    .toSorted(([a], [b]) => b - a)
    .reduce((text, [at, addition]) => text.slice(0, at) + addition + text.slice(at), code)
}
