import * as paths from "$app/paths"

/** The type of the parameter depends on the routes of the application. */
const resolve = paths.resolve as unknown as (path: string) => string

/** `paths.base`. While a page is rendered, `resolve` returns a relative path, so it's called before. */
export const base: string = resolve("/").replace(/\/$/, "")
