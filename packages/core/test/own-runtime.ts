import { type Runtime, systemRuntime } from "../src/primitives/runtime.js"

/** The system's clock as one of its own. Sites with different clocks share no memory, whatever file they are in. */
export function ownRuntime(): Pick<Runtime, "now" | "sleep"> {
  return { now: () => Date.now(), sleep: systemRuntime.sleep }
}
