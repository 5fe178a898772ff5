import { breakStores, isQuick } from "./faults.js"

await breakStores("crash_faults_long", (kind, point) => !isQuick(kind, point))
