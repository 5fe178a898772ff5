import { DATABASE } from "./env.js"
import { sqlite } from "./sqlite.js"

export default sqlite(DATABASE ?? ":memory:")
