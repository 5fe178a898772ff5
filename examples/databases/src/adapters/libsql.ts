import type { Adapter } from "@latchkey/core/adapters"
import { libsql } from "@latchkey/sql/libsql"

/** `libsql://database.turso.io?authToken=…` */
export const open = (url: URL): Adapter => libsql(url.href)
