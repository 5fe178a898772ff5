import type { Plugin } from "vitest/config"
import { editsOf, holes, pathOf } from "./all.js"
import type { Edit, Hole } from "./hole.js"

const mark = /[?&]hole=([^&]+)/

/**
 * A plugin for Vite that takes fixes out of the sources as they are loaded. `import("./play.js?hole=…")` loads a module and
 * everything below it without the fix, next to the intact modules. With `HOLE=…` in the environment, no module has the fix.
 */
export function reopenHoles(): Plugin {
  return {
    name: "reopen-holes",
    enforce: "pre",
    configureVitest({ defineCacheKeyGenerator }) {
      // Otherwise the next run would load modules without the fix from the cache of vitest.
      defineCacheKeyGenerator(({ id }) => {
        const hole = holeNamed(process.env["HOLE"])
        const isEdited = hole !== undefined && editsIn(hole, id).length > 0
        return isEdited || mark.test(id) ? false : undefined
      })
    },
    async resolveId(source, importer, options) {
      const name = mark.exec(importer ?? "")?.[1]
      if (name === undefined || mark.test(source)) return undefined
      const resolved = await this.resolve(source, importer, { ...options, skipSelf: true })
      return resolved === null || !isOurs(resolved.id) ? resolved : { ...resolved, id: `${resolved.id}?hole=${name}` }
    },
    transform(code, id) {
      const name = mark.exec(id)?.[1]
      const hole = holeNamed(name === undefined ? process.env["HOLE"] : decodeURIComponent(name))
      return hole === undefined ? undefined : { code: reopened(hole, id, code), map: null }
    },
  }
}

/** Dependencies are loaded once. Two copies of the tables would be two sets of holes. */
function isOurs(id: string): boolean {
  return /\/packages\/[^/]+\/(?:src|test)\//.test(id) && !id.includes("/node_modules/") && !id.includes("?")
}

function holeNamed(name: string | undefined): Hole | undefined {
  if (name === undefined || name === "") return undefined
  const hole = holes.find((one) => one.name === name)
  if (hole === undefined)
    throw new Error(`There is no hole "${name}". The holes are in packages/core/test/adversary/holes.`)
  return hole
}

function editsIn(hole: Hole, id: string): readonly Edit[] {
  const path = id.replace(/\?.*$/, "")
  return editsOf(hole).filter((edit) => path.endsWith(`/${pathOf(edit)}`))
}

function reopened(hole: Hole, id: string, code: string): string {
  return editsIn(hole, id).reduce((text, edit) => {
    const [before = "", after, ...more] = text.split(edit.replace)
    if (after === undefined || more.length > 0) throw new Error(`"${hole.name}" doesn't fit ${edit.file}`)
    return `${before}${edit.with}${after}`
  }, code)
}
