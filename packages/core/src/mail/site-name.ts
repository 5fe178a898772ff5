import type { Theme } from "../model/pages.js"

/** Characters. More don't fit into a heading. */
const maxLength = 60

/** The name of the application: that of the theme, otherwise the host. */
export function siteName(theme: Pick<Theme, "name"> | undefined, host: string): string {
  const name: unknown = theme?.name
  const own = typeof name === "string" ? name.trim() : ""
  return own === "" || own.length > maxLength ? host : own
}
