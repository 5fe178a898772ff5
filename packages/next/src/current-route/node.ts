/**
 * The path and query of the current request. Next.js gives them to pages only, as props, so this reads the store behind
 * `headers()`.
 *
 * @returns undefined outside a request, or if another version of Next.js keeps them elsewhere
 */
export async function requestUrl(): Promise<string | undefined> {
  for (const [module, storage, read] of places) {
    const url = read(await storeIn(module, storage))
    if (url !== undefined) return withoutInternals(url)
  }
  return undefined
}

/** Whether a Route Handler runs, and not a page or an action. `false` before Next.js 15, where it couldn't answer with status 401. */
export async function inRouteHandler(): Promise<boolean> {
  const { page } = await storeIn("next/dist/server/app-render/work-async-storage.external.js", "workAsyncStorage")
  return typeof page === "string" && page.endsWith("/route")
}

type Fields = Readonly<Record<string, unknown>>

/** The modules of Next.js 15 and 16, and of 14. */
const places: readonly (readonly [module: string, storage: string, read: (store: Fields) => string | undefined])[] = [
  ["next/dist/server/app-render/work-unit-async-storage.external.js", "workUnitAsyncStorage", pathAndSearch],
  [
    "next/dist/client/components/static-generation-async-storage.external.js",
    "staticGenerationAsyncStorage",
    ({ urlPathname }) => (typeof urlPathname === "string" ? urlPathname : undefined),
  ],
]

function pathAndSearch({ url }: Fields): string | undefined {
  const { pathname, search } = fieldsOf(url)
  return typeof pathname === "string" ? pathname + (typeof search === "string" ? search : "") : undefined
}

async function storeIn(module: string, storage: string): Promise<Fields> {
  try {
    // Not bundled: a copy of the module would have another store, and only one of the modules exists.
    const found = fieldsOf(await import(/* webpackIgnore: true */ /* turbopackIgnore: true */ module))[storage]
    return isStorage(found) ? fieldsOf(found.getStore()) : {}
  } catch {
    return {}
  }
}

function isStorage(value: unknown): value is { getStore(): unknown } {
  return typeof fieldsOf(value)["getStore"] === "function"
}

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {}
}

/** The router of Next.js adds `_rsc` to the requests that it sends itself. */
function withoutInternals(path: string): string {
  const url = new URL(`https://latchkey.invalid${path}`)
  url.searchParams.delete("_rsc")
  return url.pathname + url.search
}
