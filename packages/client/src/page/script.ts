// The script of the built-in pages. tools/page-scripts.mjs bundles it into @latchkey/core.
import { enhance } from "./enhancements.js"

enhance()
