import { sqlite } from "@latchkey/sql/sqlite"

export default sqlite(":memory:")
