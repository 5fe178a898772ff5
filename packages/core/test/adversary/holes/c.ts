import type { Hole } from "./hole.js"

/** One site, one set of counters. */
export const holes: readonly Hole[] = []
