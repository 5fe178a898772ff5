import type { Hole } from "./hole.js"

/** The user can tell what happens. */
export const holes: readonly Hole[] = []
