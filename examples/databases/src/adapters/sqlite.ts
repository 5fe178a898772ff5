import type { Adapter } from "@latchkey/core/adapters"
import { sqlite } from "@latchkey/sql/sqlite"

/** `file:app.db` */
export const open = (url: URL): Adapter => sqlite(url.pathname)
