export { sqlite } from "@latchkey/sql/sqlite"
