import type { World } from "../world/world.js"

/** Looks at what the last step did: its requests are in `world.exchanges`. Throws a `Violation`. */
export type Check = (world: World) => void | Promise<void>
