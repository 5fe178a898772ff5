import type { IconPath } from "../model/flow.js"
import { colorOf } from "./color.js"
import { type Html, html } from "./html.js"

/** The commands of SVG paths and their numbers (SVG 2 §9.3.9). */
const pathData = /^[MLHVCSQTAZmlhvcsqtaz\d\s,.+-]+$/

/** The paths that are valid. */
export function iconPaths(paths: unknown): readonly IconPath[] {
  return Array.isArray(paths) ? paths.flatMap((path: unknown) => pathOf(path) ?? []) : []
}

/** An inline image on a canvas of 24 × 24. Screen readers skip it, because there's always a text beside it. */
export function iconOf(paths: unknown): Html | undefined {
  const drawn = iconPaths(paths).map(pathElement)
  // The HTML parser corrects the case of `viewBox` (HTML Standard §13.2.6.1).
  return drawn.length === 0
    ? undefined
    : html`<svg class="icon" viewbox="0 0 24 24" width="20" height="20" aria-hidden="true">${drawn}</svg>`
}

function pathElement({ d, fill }: IconPath): Html {
  return fill === undefined ? html`<path d="${d}"></path>` : html`<path d="${d}" fill="${fill}"></path>`
}

function pathOf(path: unknown): IconPath | undefined {
  const [d, given]: readonly unknown[] = Array.isArray(path) ? path : []
  if (typeof d !== "string" || !pathData.test(d)) return undefined
  const fill = colorOf(given)
  return fill === undefined ? { d } : { d, fill }
}

/** Icons of our own, drawn as lines. */
const lines = {
  email: [
    "M4.5 5h15A1.5 1.5 0 0 1 21 6.5v11a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 17.5v-11A1.5 1.5 0 0 1 4.5 5z",
    "m3.5 7.2 7.6 5.4a1.6 1.6 0 0 0 1.8 0l7.6-5.4",
  ],
  password: ["M6 11h12a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1v-7a1 1 0 0 1 1-1z", "M8 11V8a4 4 0 0 1 8 0v3"],
  passkey: ["M8 20a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9z", "m11.2 12.3 8.3-8.3m-3.5 3.5 3 3"],
  eye: [
    "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12z",
    "M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z",
    "M4 20 20 4",
  ],
} as const

export function lineIcon(name: keyof typeof lines): Html {
  const drawn = lines[name].map((data) => html`<path d="${data}"></path>`)
  return html`<svg class="icon line" viewbox="0 0 24 24" width="20" height="20" aria-hidden="true">${drawn}</svg>`
}
