import type { ResolvedProvider } from "../../../model/signin.js"
import type { AuthRequest } from "../../../model/http.js"
import { colorOf } from "../../../html/color.js"
import { iconOf } from "../../../html/icon.js"
import { imageOf } from "../../../html/image.js"

interface Logo {
  readonly logo?: string
  readonly logoDark?: string
}

/** The image of the configuration, otherwise the icon of the provider, as URLs. */
export function logoOf(request: AuthRequest, { style }: ResolvedProvider): Logo {
  const image = imageOf(request, style.logo)
  if (image !== undefined) return { logo: image.src }
  const icon = iconOf(style.icon)?.toString()
  if (icon === undefined) return {}
  const [light, dark] = ["#1f2328", "#ffffff"].map((color) => dataUrl(icon, color))
  return light === undefined || dark === undefined
    ? {}
    : { logo: light, ...(hasOwnColors(style.icon) ? {} : { logoDark: dark }) }
}

/** An `<img>` doesn't get the text color of the page, so parts without a color get one here. */
function dataUrl(icon: string, color: string): string {
  const svg = icon
    .replace("<svg ", `<svg xmlns="http://www.w3.org/2000/svg" fill="${color}" `)
    .replace("viewbox=", "viewBox=")
    .replace(' class="icon"', "")
    .replace(' aria-hidden="true"', "")
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}

function hasOwnColors(paths: unknown): boolean {
  return Array.isArray(paths) && paths.every((path: unknown) => Array.isArray(path) && colorOf(path[1]) !== undefined)
}
