import { existsSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { findProgram, type Requirement } from "./process.js"

/** Paths of the installed or unpacked package. */
export interface GlewlwydFiles {
  readonly program: string
  /** Makes the tables of the server. */
  readonly tables: string
  readonly modules: string
}

/** The package is installed, or `.ci/run` unpacked it because configuring it needs a database. */
const roots = ["/", fileURLToPath(new URL("../../node_modules/.cache/glewlwyd", import.meta.url))]

/** Finds an OpenID provider written in C. Each test file starts its own. */
export const glewlwyd: Requirement<GlewlwydFiles> = {
  tests: "tests against the OpenID provider Glewlwyd",
  advice: "no Glewlwyd found: on Debian, `.ci/run` unpacks it",
  async find() {
    const isComplete = ({ program, tables }: GlewlwydFiles): boolean => existsSync(program) && existsSync(tables)
    const value = roots.map(filesBelow).find(isComplete)
    return value === undefined || findProgram(["sqlite3"]) === undefined ? undefined : { value }
  },
}

function filesBelow(root: string): GlewlwydFiles {
  return {
    program: join(root, "usr/bin/glewlwyd"),
    tables: join(root, "usr/share/dbconfig-common/data/glewlwyd/install/sqlite3"),
    modules: join(root, "usr/lib/glewlwyd"),
  }
}
