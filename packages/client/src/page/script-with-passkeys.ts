// The script of a built-in sign-in page with passkeys. tools/page-scripts.mjs bundles it into @latchkey/core.
import { enhance } from "./enhancements.js"
import { setUpPasskeys } from "./passkey-form.js"

setUpPasskeys()
enhance()
