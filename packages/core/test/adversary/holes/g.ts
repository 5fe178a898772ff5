import type { Hole } from "./hole.js"

/** Modes apply through every entry point. */
export const holes: readonly Hole[] = []
