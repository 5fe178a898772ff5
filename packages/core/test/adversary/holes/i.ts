import type { Hole } from "./hole.js"

/** Shared caches don't store a session. */
export const holes: readonly Hole[] = []
