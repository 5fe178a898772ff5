// Entries such as `@latchkey/next/providers/github` have no source. They're written to `dist` directly.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { packages, reexportsOf } from "./workspace.mjs"

/** Writes the module and the declaration of each re-export, which are the same text. */
export function writeReexports() {
  for (const { from, source, built } of packages().flatMap((pkg) => reexportsOf(pkg))) {
    const text = reexport(from, readFileSync(source, "utf8"))
    for (const extension of [".js", ".d.ts"]) write(built + extension, text)
  }
}

/** `export *` leaves out the default export. @param {string} from @param {string} source */
function reexport(from, source) {
  const all = `export * from "${from}"\n`
  return /^export default /m.test(source) ? `${all}export { default } from "${from}"\n` : all
}

/** @param {string} path @param {string} text */
function write(path, text) {
  if (existsSync(path) && readFileSync(path, "utf8") === text) return
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
