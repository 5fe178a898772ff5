import type { Adapter } from "@latchkey/core/adapters"
import { postgres } from "@latchkey/sql/postgres"

/** `postgres://user:password@host:5432/database` */
export const open = (url: URL): Adapter => postgres(url.href)
