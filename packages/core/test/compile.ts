import { type AnyConfig, compile as compileWith } from "../src/config/compile.js"
import { features } from "../src/engine/features.js"
import type { AuthContext } from "../src/model/auth.js"

/** The configuration as the engine has it, with every feature. */
export function compile(given: AnyConfig): AuthContext {
  return compileWith(features, given)
}
