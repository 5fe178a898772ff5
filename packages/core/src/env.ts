/** What a framework's integration needs before, and often without, the engine. */
export { createActionURL, isAuthAction, setEnvDefaults, withEnv, type Env } from "./config/env/env.js"
export { customFetch, raw, skipCSRFCheck } from "./model/symbols.js"
