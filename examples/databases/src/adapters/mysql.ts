import type { Adapter } from "@latchkey/core/adapters"
import { mysql } from "@latchkey/sql/mysql"

/** `mysql://user:password@host:3306/database`, for MySQL and MariaDB */
export const open = (url: URL): Adapter => mysql(url.href)
