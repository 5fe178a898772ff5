import { killProcesses } from "./kills.js"

/** Each takes half a second. kills.long.test.ts has the other places. */
await killProcesses("crash_kills", (at) => at % 10 === 0)
