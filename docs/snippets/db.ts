/** The examples in the docs import this as "@/db". */
import { memoryAdapter } from "@latchkey/adapter-kit/memory"

export default memoryAdapter()
