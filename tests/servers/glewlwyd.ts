import { existsSync } from "node:fs"
import { findProgram, type Requirement } from "./process.js"

/** Debian's: it makes the tables of the server. */
export const glewlwydTables = "/usr/share/dbconfig-common/data/glewlwyd/install/sqlite3"

/** The path of an OpenID provider written in C. Each test file starts its own. */
export const glewlwyd: Requirement<string> = {
  tests: "tests against the OpenID provider Glewlwyd",
  advice: "no Glewlwyd found: install Debian's packages glewlwyd and dbconfig-no-thanks",
  async find() {
    const isComplete = existsSync(glewlwydTables) && findProgram(["sqlite3"]) !== undefined
    return isComplete ? findProgram(["glewlwyd"], ["/usr/bin"]) : undefined
  },
}
