// npm shows the README of a package, where a path of this repository leads nowhere. So packed READMEs have absolute URLs, which
// start with `repository` of the package.json in the root.
import { existsSync, statSync } from "node:fs"
import { join, posix } from "node:path"
import { Failure } from "./shell.mjs"
import { readManifest, root } from "./workspace.mjs"

/** The repository as a browser opens it, such as `https://host/owner/name`. */
export function repositoryUrl() {
  const { repository } = readManifest(join(root, "package.json"))
  if (repository === undefined) throw new Failure("package.json has no `repository`. Add its URL.")
  return repository.url.replace(/^git\+/, "").replace(/\.git$/, "")
}

/** No site can have a name that ends in `.invalid` (RFC 2606): it stands for an address that isn't known yet. */
export function isRepositoryKnown() {
  return !new URL(repositoryUrl()).hostname.endsWith(".invalid")
}

/** The fields of a packed manifest that lead to the repository. @param {string} short the name of the folder */
export function repositoryFields(short) {
  const url = repositoryUrl()
  const directory = `packages/${short}`
  return {
    repository: { type: "git", url: `git+${url}.git`, directory },
    homepage: `${url}/tree/HEAD/${directory}#readme`,
    bugs: `${url}/issues`,
  }
}

/** The start of a link in Markdown or HTML, and its target. */
const link = /(\]\(|^\[[^\]\n]+\]: +|\b(?:href|src)=")([^)\s"]+)/gm
const fence = /^(```[\s\S]*?^```$)/m

/**
 * The text with absolute URLs instead of paths of this repository. `HEAD` is the default branch.
 * @param {string} text
 * @param {string} folder of the file, such as `packages/core`
 */
export function withAbsoluteLinks(text, folder) {
  const url = repositoryUrl()
  return outsideCode(text, (part) =>
    part.replaceAll(link, (all, start, target) => (isPath(target) ? `${start}${url}/${placeOf(target, folder)}` : all)),
  )
}

/** The links that lead to a path. @param {string} text @returns {string[]} */
export function pathsIn(text) {
  /** @type {string[]} */
  const found = []
  outsideCode(text, (part) => {
    for (const [, , target = ""] of part.matchAll(link)) if (isPath(target)) found.push(target)
    return part
  })
  return found
}

/** @param {string} text @param {(part: string) => string} change */
function outsideCode(text, change) {
  return text
    .split(fence)
    .map((part) => (part.startsWith("```") ? part : change(part)))
    .join("")
}

/** @param {string} target */
function isPath(target) {
  return !/^(?:[a-z][a-z\d+.-]*:|#|\/\/)/i.test(target)
}

/** @param {string} target @param {string} folder */
function placeOf(target, folder) {
  const [path = "", ...heading] = target.split("#")
  const place = posix.join(folder, path)
  const file = join(root, place)
  if (place.startsWith("..") || !existsSync(file))
    throw new Failure(`${folder} links to ${target}, which doesn't exist.`)
  const view = /\.(?:gif|jpe?g|png|svg|webp)$/.test(path) ? "raw" : statSync(file).isDirectory() ? "tree" : "blob"
  return [`${view}/HEAD/${place}`, ...heading].join("#")
}
