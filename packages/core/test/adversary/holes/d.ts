import type { Hole } from "./hole.js"

/** Input is bounded before it is used. */
export const holes: readonly Hole[] = []
