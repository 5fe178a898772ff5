// The API reference, which typedoc writes from the sources.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join, posix } from "node:path"
import { Failure, must } from "../../tools/shell.mjs"
import { entriesOf, packages, root, shown } from "../../tools/workspace.mjs"
import { anchorOf, plain } from "./pages.mjs"

/** @typedef {import("./pages.mjs").Page} Page */

/** The packages of the reference, and their entries. Each entry is a page. */
const entries = /** @type {const} */ ({
  core: [".", "./errors", "./jwt", "./module", "./server", "./session-reader", "./tokens", "./types"],
  next: [".", "./react"],
})

/** @param {string} folder where to write the pages */
export async function writeReference(folder) {
  const temp = dirname(folder)
  mkdirSync(temp, { recursive: true })
  rmSync(folder, { recursive: true, force: true })
  const found = wantedEntries()
  writeFileSync(
    join(temp, "typedoc.json"),
    JSON.stringify({ ...options, ...program(temp), entryPoints: found.map(({ source }) => source), out: folder }),
  )
  await must(join(root, "site", "node_modules", ".bin", "typedoc"), ["--options", join(temp, "typedoc.json")], {
    cwd: join(root, "site"),
    advice: "See its messages above.",
  })
}

/** The pages that typedoc wrote, under the names of the entries. @param {string} folder @returns {Page[]} */
export function referencePages(folder) {
  const entries = new Map(wantedEntries().map((entry) => [moduleOf(entry.source), entry]))
  // Its overview has the modules with their files.
  const modules = readFileSync(join(folder, "overview.md"), "utf8").matchAll(
    /^- \[(?<name>[^\]]+)\]\((?<file>[^)]+)\)/gm,
  )
  const written = new Map(
    [...modules].flatMap(({ groups }) => {
      const entry = entries.get(groups?.["name"] ?? "")
      return entry === undefined ? [] : [/** @type {const} */ ([groups?.["file"] ?? "", entry])]
    }),
  )
  if (written.size < entries.size) throw new Failure("typedoc didn't write a page for each entry of site/build/api.mjs")
  const pages = [...written].map(([file, { specifier, path }]) => {
    const text = readFileSync(join(folder, file), "utf8")
      .replace(/^# .+$/m, `# ${specifier}`)
      .replaceAll(/(?<=\]\()(?<href>[^)#\s]+\.md)(?=[#)])/g, (href) => {
        const target = written.get(posix.join(posix.dirname(file), href))
        return target === undefined ? href : `/${target.path}`
      })
    return { path, title: specifier, text }
  })
  const anchors = new Map(pages.map(({ path, text }) => [`/${path}`, anchorsIn(text)]))
  return pages.map(({ path, title, text }) => {
    const linked = text.replaceAll(/(?<=\]\()(?<page>[^)#\s]*)#(?<anchor>[^)\s]+)(?=\))/g, (link, page, anchor) => {
      const found = anchors.get(page === "" ? `/${path}` : page)
      // typedoc also counts headings that it doesn't write, so some of its numbers are too high.
      return found === undefined || found.has(anchor) ? link : link.replace(/-\d+$/, "")
    })
    return { source: "", path, title, text: `---\neditLink: false\noutline: [2, 3]\n---\n\n${escaped(linked)}` }
  })
}

/** @param {string} text */
function anchorsIn(text) {
  /** @type {Map<string, number>} */
  const counts = new Map()
  const headings = [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = ""]) => {
    const anchor = anchorOf(plain(heading))
    const count = counts.get(anchor) ?? 0
    counts.set(anchor, count + 1)
    return count === 0 ? anchor : `${anchor}-${count}`
  })
  return new Set([...headings, ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = ""]) => id)])
}

/** Comments such as `AUTH_<ID>_ID`, which aren't HTML. @param {string} markdown */
function escaped(markdown) {
  return markdown
    .split(/(^```.*?^```|`[^`\n]*`)/ms)
    .map((part, index) =>
      index % 2 === 1 ? part : part.replaceAll(/(?<!\\)<(?!\/?(?:a|br|p|ul|li)\b)(?=\w)/g, "&lt;"),
    )
    .join("")
}

/** What typedoc calls the module of a source. @param {string} source */
function moduleOf(source) {
  return shown(source)
    .replace(/^packages\//, "")
    .replace(/(?:\/index)?\.ts$/, "")
}

function wantedEntries() {
  return packages().flatMap((pkg) => {
    const { short, manifest } = pkg
    const wanted = Object.entries(entries).find(([name]) => name === short)?.[1] ?? []
    return entriesOf(pkg).flatMap(({ specifier, source }) => {
      const subpath = `.${specifier.slice(manifest.name.length)}`
      const name = subpath === "." ? "index" : subpath.slice(2)
      return wanted.some((each) => each === subpath) ? [{ specifier, source, path: `api/${short}/${name}.md` }] : []
    })
  })
}

/** typedoc needs the compiler's JavaScript API, which TypeScript 7 doesn't have. @param {string} temp */
function program(temp) {
  const tsconfig = join(temp, "typedoc.tsconfig.json")
  const folders = Object.keys(entries).map((short) => join(root, "packages", short, "src"))
  const config = {
    extends: join(root, "packages", "next", "tsconfig.json"),
    compilerOptions: {
      composite: false,
      incremental: false,
      noEmit: true,
      isolatedDeclarations: false,
      rootDir: root,
      paths: sources(),
    },
    include: folders,
    references: [],
  }
  writeFileSync(tsconfig, JSON.stringify(config))
  return { tsconfig }
}

/** The sources of each entry, so that nothing has to be built before. */
function sources() {
  return Object.fromEntries(
    packages().flatMap((pkg) => entriesOf(pkg).map(({ specifier, source }) => [specifier, [source]])),
  )
}

const options = {
  plugin: ["typedoc-plugin-markdown"],
  router: "module",
  readme: "none",
  entryFileName: "overview",
  disableSources: true,
  excludeExternals: true,
  excludeInternal: true,
  excludePrivate: true,
  skipErrorChecking: true,
  hidePageHeader: true,
  hideBreadcrumbs: true,
  useCodeBlocks: true,
  parametersFormat: "table",
  interfacePropertiesFormat: "table",
  classPropertiesFormat: "table",
  enumMembersFormat: "table",
  typeAliasPropertiesFormat: "table",
  typeDeclarationFormat: "table",
  propertyMembersFormat: "table",
  tableColumnSettings: { hideSources: true, hideInherited: true, hideModifiers: true, hideOverrides: true },
  groupOrder: ["Functions", "Classes", "Variables", "Interfaces", "Type Aliases", "*"],
  sort: ["alphabetical"],
  validation: { notExported: false, invalidLink: false, notDocumented: false },
  logLevel: "Error",
}
