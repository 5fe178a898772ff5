export { createActionURL, isAuthAction } from "./config/env/action-url.js"
export { setEnvDefaults, withEnv } from "./config/env/env.js"
export type { Env } from "./config/env/variables.js"
export { customFetch, raw, skipCSRFCheck } from "./model/symbols.js"
