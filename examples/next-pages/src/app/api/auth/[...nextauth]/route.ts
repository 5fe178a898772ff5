import { handlers } from "@/auth"

/** The auth routes are Route Handlers, so they need the App Router. The pages don't. */
export const { GET, POST } = handlers
