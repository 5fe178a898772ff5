import type { Hole } from "./hole.js"

/** Proxies and preview deployments. */
export const holes: readonly Hole[] = []
