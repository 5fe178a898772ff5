import "@latchkey/next/edge"
import { handlers } from "../../../../auth.js"

export const runtime = "edge"

export const { GET, POST } = handlers
