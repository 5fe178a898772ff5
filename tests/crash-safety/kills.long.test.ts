import { killProcesses } from "./kills.js"

await killProcesses("crash_kills_long", (at) => at % 10 !== 0)
