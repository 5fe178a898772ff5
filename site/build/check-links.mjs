// Finds links of the built site that lead nowhere, anchors included.
import { readFileSync } from "node:fs"
import { join, posix, relative, sep } from "node:path"
import { Failure } from "../../tools/shell.mjs"
import { filesBelow } from "../../tools/workspace.mjs"

/** @param {string} folder @param {string} base */
export function checkLinks(folder, base) {
  const files = new Set(filesBelow(folder).map((path) => relative(folder, path).split(sep).join("/")))
  const pages = new Map(
    [...files].filter((file) => file.endsWith(".html")).map((file) => [file, readFileSync(join(folder, file), "utf8")]),
  )
  const anchors = new Map(
    [...pages].map(([file, html]) => [file, new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))]),
  )
  const broken = [...pages].flatMap(([file, html]) =>
    [...new Set([...html.matchAll(/<a [^>]*?href="([^"]+)"/g)].map(([, href = ""]) => decode(href)))]
      .filter((href) => !/^[a-z][\w+.-]*:/i.test(href))
      .filter((href) => !leadsSomewhere(href, file))
      .map((href) => `${file} links to ${href}`),
  )
  if (broken.length > 0) throw new Failure(`These links lead nowhere:\n  ${broken.join("\n  ")}`)
  return pages.size

  /** @param {string} href @param {string} from */
  function leadsSomewhere(href, from) {
    const [path = "", hash] = href.split("#")
    const target =
      path === "" ? from : path.startsWith("/") ? path.slice(base.length) : posix.join(posix.dirname(from), path)
    const file = [target, `${target}.html`, posix.join(target, "index.html")].find((name) => files.has(name))
    if (file === undefined) return false
    return hash === undefined || hash === "" || anchors.get(file)?.has(decodeURIComponent(hash)) === true
  }
}

/** @param {string} attribute */
function decode(attribute) {
  return attribute.replaceAll("&amp;", "&").replaceAll("&#39;", "'").replaceAll("&quot;", '"')
}
