/** Middleware of Next.js reads sessions and signs nobody in, so it needs nothing of the module. */
export const parts = {}
