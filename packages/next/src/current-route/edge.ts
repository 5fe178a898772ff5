/** The edge runtime can't import the modules that know the URL. */
export function requestUrl(): Promise<undefined> {
  return Promise.resolve(undefined)
}
