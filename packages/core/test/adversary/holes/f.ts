import type { Hole } from "./hole.js"

/** Revoked sessions end everywhere. */
export const holes: readonly Hole[] = []
