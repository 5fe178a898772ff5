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

/** An icon of our own, drawn as lines on the same canvas. */
export function lineIcon(paths: readonly string[]): Html {
  const drawn = paths.map((data) => html`<path d="${data}"></path>`)
  return html`<svg class="icon line" viewbox="0 0 24 24" width="20" height="20" aria-hidden="true">${drawn}</svg>`
}
