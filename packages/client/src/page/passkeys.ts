// What a built-in page with passkeys has before its script. tools/page-scripts.mjs bundles it into @latchkey/core.
import { setUpPasskeys } from "./passkey-form.js"

setUpPasskeys()
