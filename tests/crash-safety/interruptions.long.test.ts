import { interruptFlows } from "./interruptions.js"

interruptFlows((place) => place % 4 !== 0)
