/** The request that a configuration may read, with the members that frameworks pass to its function. */
export function requestEvent(): object {
  const request = new Request("http://localhost:5173/")
  const url = new URL(request.url)
  const env = new Proxy(
    {},
    { get: (_, name) => (name === "get" ? (variable: string) => process.env[variable] : process.env[String(name)]) },
  )
  return {
    env,
    headers: request.headers,
    locals: {},
    method: request.method,
    params: {},
    pathname: url.pathname,
    platform: {},
    query: url.searchParams,
    req: request,
    request,
    sharedMap: new Map<string, unknown>(),
    url,
  }
}
