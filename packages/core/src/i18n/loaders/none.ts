import type { Messages } from "../messages.js"

/** Bundles for Workers and the edge are one file, which would contain all languages. There, they come from `i18n.messages`. */
export const loaders: Readonly<Record<string, () => Promise<Messages>>> = {}
