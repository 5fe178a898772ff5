/** The edge runtime can't import the modules that know the route. */
export function requestUrl(): Promise<undefined> {
  return Promise.resolve(undefined)
}

export function inRouteHandler(): Promise<false> {
  return Promise.resolve(false)
}
