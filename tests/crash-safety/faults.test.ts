import { breakStores, isQuick } from "./faults.js"

await breakStores("crash_faults", isQuick)
