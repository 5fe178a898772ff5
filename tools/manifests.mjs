// Fields of package.json for tools that don't read `exports`, such as TypeScript with `moduleResolution: "node"`.
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { isDeepStrictEqual } from "node:util"
import { packages } from "./workspace.mjs"

/** @typedef {import("./workspace.mjs").Manifest} Manifest */

/**
 * `main` and `types` lead to the main entry, and `typesVersions` to every other one. A pattern stays a pattern.
 * @param {Manifest} manifest
 */
export function fieldsFor({ exports = {} }) {
  const modules = Object.entries(exports).flatMap(([subpath, target]) =>
    typeof target === "string" ? [] : [{ subpath, ...target }],
  )
  const main = modules.find(({ subpath }) => subpath === ".")
  const others = modules.filter(({ subpath }) => subpath !== ".")
  const paths = Object.fromEntries(others.map(({ subpath, types }) => [subpath.slice(2), [types.slice(2)]]))
  return {
    // Programs that don't read `exports` call `require`.
    ...(main && { main: main.require?.default ?? main.default, types: main.types }),
    ...(others.length > 0 && { typesVersions: { "*": paths } }),
  }
}

const names = /** @type {const} */ (["main", "types", "typesVersions"])

/** The packages whose fields don't follow from their `exports`. */
export function outdated() {
  return packages().filter(({ manifest }) => {
    const { main, types, typesVersions } = manifest
    const found = Object.entries({ main, types, typesVersions }).filter(([, value]) => value !== undefined)
    return !isDeepStrictEqual(Object.fromEntries(found), { ...fieldsFor(manifest) })
  })
}

/** Writes the fields before `exports`. */
export function writeManifests() {
  for (const { folder, manifest } of outdated()) {
    const path = join(folder, "package.json")
    const all = Object.entries(JSON.parse(readFileSync(path, "utf8")))
    const old = all.filter(([name]) => !names.some((own) => own === name))
    const at = old.findIndex(([name]) => name === "exports")
    const fields = Object.fromEntries([...old.slice(0, at), ...Object.entries(fieldsFor(manifest)), ...old.slice(at)])
    const text = JSON.stringify(fields, null, 2).replaceAll(/\[\s+("[^"]+")\s+\]/g, "[$1]")
    writeFileSync(path, `${text}\n`)
  }
}
