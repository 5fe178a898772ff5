import { defined, drained, type Framework, type FrameworkRequest, type SetCookie } from "@latchkey/core/integration"
import type { RequestEvent } from "@sveltejs/kit"
import { base } from "./base.js"
import { environmentOf } from "./env.js"

/** How SvelteKit's requests are read, and how cookies are set. */
export const framework: Framework<RequestEvent> = {
  basePath: `${base}/auth`,
  env: (event) => environmentOf(event?.platform),
  read,
  toRequest,
  // SvelteKit copies the event before it calls an action.
  requestOf: ({ request }) => request,
  acceptsForms: true,
  setCookies,
}

function read(event: RequestEvent): FrameworkRequest {
  const { request } = event
  // A remote query can't read the URL of the event.
  const url = event.isRemoteRequest ? new URL(request.url) : withoutAction(event.url)
  return {
    method: request.method,
    url,
    headers: request.headers,
    ...clientOf(event),
    ...(opensPage(event) ? { opensPage: true } : {}),
  }
}

/** Otherwise, SvelteKit closes the connection of Node before the response to a body that is too large is sent. */
function toRequest({ request }: RequestEvent): Request {
  if (request.body === null) return request
  const duplex = { duplex: "half" }
  return new Request(request, { body: drained(request.body), ...duplex })
}

/** The router of SvelteKit loads the data of a page as JSON, and forms are sent by a script. Both follow a redirect. */
function opensPage(event: RequestEvent): boolean {
  const { headers, method } = event.request
  const isLoad = "depends" in event
  const isForm =
    method === "POST" && (headers.has("x-sveltekit-action") || headers.get("sec-fetch-mode") === "navigate")
  return isLoad || event.isDataRequest || isForm
}

/** The URL of a page, without the name of a form action, such as `?/rename`. */
function withoutAction(url: URL): URL {
  const fields = url.search.slice(1).split("&")
  const page = new URL(url)
  page.search = fields.filter((field) => !/^(?:\/|%2f)/i.test(field)).join("&")
  return page
}

/** Adapters may read the address from a header. The one for Node also passes on the request of Node. */
function clientOf(event: RequestEvent): Pick<FrameworkRequest, "address" | "isAddressForgeable"> {
  const platform: NodePlatform | undefined = event.platform
  try {
    const address = event.getClientAddress()
    return { address, isAddressForgeable: address !== platform?.req?.socket?.remoteAddress }
  } catch {
    // Some adapters don't know it.
    return {}
  }
}

interface NodePlatform {
  readonly req?: { readonly socket?: { readonly remoteAddress?: string } }
}

const namesOf = new WeakMap<Request, Set<string>>()

/**
 * Removes our cookies from the response of an endpoint, to which SvelteKit has added them. It may be a constant of the
 * application, which the next visitor gets too.
 */
export function forgetCookies({ request }: RequestEvent, { headers }: Response): void {
  const names = namesOf.get(request)
  const others = headers.getSetCookie().filter((line) => names?.has(line.split("=", 1)[0] ?? "") !== true)
  headers.delete("set-cookie")
  for (const line of others) headers.append("set-cookie", line)
}

function setCookies(event: RequestEvent, cookies: readonly SetCookie[]): void {
  const names = namesOf.get(event.request) ?? new Set()
  namesOf.set(event.request, names)
  for (const { name } of cookies) names.add(name)
  for (const { name, value, options } of cookies) {
    const { path = "/", httpOnly = false, secure = false, sameSite = false, ...others } = options
    // A missing attribute would get a default of SvelteKit.
    event.cookies.set(name, value, { ...defined(others), path, httpOnly, secure, sameSite })
  }
}
