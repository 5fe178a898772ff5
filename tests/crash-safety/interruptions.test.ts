import { expectFlowsToWork, interruptFlows } from "./interruptions.js"

expectFlowsToWork()

/** interruptions.long.test.ts has the other pairs. */
interruptFlows((place) => place % 4 === 0)
