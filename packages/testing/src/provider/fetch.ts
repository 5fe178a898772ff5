import type { Fetch } from "@latchkey/core/types"
import { faultsAt } from "../faults/fault.js"
import { trackSecret, trackFields } from "../secrets.js"
import { answerDiscovery, answerJwks } from "./discovery.js"
import { endpointAt } from "./endpoints.js"
import type { RecordedRequest } from "./messages.js"
import type { EndpointName } from "./messages.js"
import type { ProviderState } from "./state.js"
import { answerToken } from "./token.js"
import { answerUserinfo } from "./userinfo.js"

type Endpoint = (op: ProviderState, request: RecordedRequest) => Response | Promise<Response>

const endpoints: Readonly<Record<EndpointName, Endpoint>> = {
  discovery: answerDiscovery,
  jwks: answerJwks,
  token: answerToken,
  userinfo: answerUserinfo,
  elsewhere: () => new Response("The fake provider has no endpoint at this URL", { status: 404 }),
}

/** Fetch Standard §4.4. */
const maxRedirects = 20

/** A `fetch` function that sends every request to the provider. */
export function fetchFrom(op: ProviderState): Fetch {
  return async (input, init) => {
    const request = new Request(input, init)
    request.signal.throwIfAborted()
    return await unlessAborted(request.signal, follow(op, request))
  }
}

function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    signal.addEventListener("abort", abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort))
  })
}

/** Follows redirects as Fetch Standard §4.4 describes. A 307 resends the body, with the secrets in it, to the new URL. */
async function follow(op: ProviderState, first: Request): Promise<Response> {
  let request = await record(op, first)
  for (let hops = 0; hops <= maxRedirects; hops += 1) {
    const response = await answer(op, request)
    const location = response.headers.get("location")
    if (first.redirect === "manual" || location === null || !isRedirect(response.status)) return response
    if (first.redirect === "error") throw new TypeError('The provider redirected, but redirect is "error".')
    request = redirected(op, request, new URL(location, request.url), response.status)
    op.requests.push(request)
  }
  throw new TypeError(`The provider redirected more than ${maxRedirects} times.`)
}

function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status)
}

async function record(op: ProviderState, request: Request): Promise<RecordedRequest> {
  const url = new URL(request.url)
  const body = await request.text()
  const { method, headers } = request
  const recorded = { endpoint: endpointAt(op.issuer, url), method, url, headers, body, form: new URLSearchParams(body) }
  op.requests.push(recorded)
  trackSecretsOf(op, recorded)
  return recorded
}

function trackSecretsOf(op: ProviderState, { headers, form }: RecordedRequest): void {
  trackSecret("client secret", op.clientSecret)
  trackSecret("authorization", headers.get("authorization")?.replace(/^\S+ /, ""))
  trackFields(form)
}

function redirected(op: ProviderState, from: RecordedRequest, url: URL, status: number): RecordedRequest {
  const headers = new Headers(from.headers)
  if (url.origin !== from.url.origin) headers.delete("authorization")
  const keepsBody = status === 307 || status === 308 || from.method === "GET"
  const body = keepsBody ? from.body : ""
  const method = keepsBody ? from.method : "GET"
  return { endpoint: endpointAt(op.issuer, url), method, url, headers, body, form: new URLSearchParams(body) }
}

async function answer(op: ProviderState, request: RecordedRequest): Promise<Response> {
  for (const override of faultsAt(op.faults, "answer")) {
    const response = await override(request)
    if (response !== undefined) return response
  }
  return await endpoints[request.endpoint](op, request)
}
