import type { records as kept } from "./records.js"

/** Middleware of Next.js stores nothing. */
export const records = {} as typeof kept
