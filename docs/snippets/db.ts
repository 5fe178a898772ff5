/** What the examples of the documents import as "@/db". */
import { memoryAdapter } from "@latchkey/adapter-kit/memory"

export default memoryAdapter()
