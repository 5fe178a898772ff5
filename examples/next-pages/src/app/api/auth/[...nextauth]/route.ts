import { handlers } from "@/auth"

/** The only part of the App Router that an application of pages needs. */
export const { GET, POST } = handlers
