import { holes as a } from "./a.js"
import { holes as b } from "./b.js"
import { holes as c } from "./c.js"
import { holes as d } from "./d.js"
import { holes as e } from "./e.js"
import { holes as f } from "./f.js"
import { holes as g } from "./g.js"
import { holes as h } from "./h.js"
import type { Edit, Hole } from "./hole.js"
import { holes as i } from "./i.js"
import { holes as j } from "./j.js"
import { holes as k } from "./k.js"
import { holes as l } from "./l.js"
import { holes as m } from "./m.js"

/** By class of attack; docs/security/model.md has the classes in this order. */
export const holes: readonly Hole[] = [a, b, c, d, e, f, g, h, i, j, k, l, m].flat()

export function editsOf({ also = [], ...first }: Hole): readonly Edit[] {
  return [first, ...also]
}

/** The path from the root of the repository. */
export function pathOf({ file }: Edit): string {
  return file.startsWith("src/") ? `packages/core/${file}` : file
}
