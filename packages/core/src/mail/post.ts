import { AuthError, EmailSignInError } from "../errors.js"
import type { Fetch } from "../model/provider.js"
import { within } from "../runtime.js"

/** Milliseconds that a person waits for the service: a little less than for any mailer, so that it is named. */
const patience = 9500

/** Characters of an answer that are read. */
const longestAnswer = 4096

/** And shown: a secret that was cut off at the end of what is read is not among them. */
const longestShown = 1024

export interface Delivery {
  /** The name of the service, for messages of errors. */
  readonly service: string
  readonly endpoint: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | FormData | URLSearchParams
  readonly fetch: Fetch
  /** What must not turn up in an error, although a service may repeat it. */
  readonly secrets: readonly (string | undefined)[]
}

/**
 * Hands a message to a service: within ten seconds and without following redirects, which would take the key elsewhere.
 *
 * @throws EmailSignInError with the status and what the service said, without key, address, link and code
 */
export async function deliver(delivery: Delivery): Promise<void> {
  const { service, endpoint } = delivery
  if (!isSafe(endpoint)) {
    throw new AuthError(`The endpoint of ${service} is not an https address: correct \`endpoint\``)
  }
  const patienceEnds = new AbortController()
  await within(patience, exchange(delivery, patienceEnds.signal), () => {
    patienceEnds.abort()
    throw new EmailSignInError(`${service} did not answer in time: try again, or look at its status page`)
  })
}

/** The key and the link travel with the request; this machine's own ports are for tests and proxies. */
function isSafe(endpoint: string): boolean {
  if (!URL.canParse(endpoint)) return false
  const { protocol, hostname } = new URL(endpoint)
  return protocol === "https:" || (protocol === "http:" && /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname))
}

async function exchange(
  { service, endpoint, headers, body, fetch, secrets }: Delivery,
  signal: AbortSignal,
): Promise<void> {
  const response = await fetch(endpoint, { method: "POST", headers, body, signal, redirect: "manual" })
  if (response.ok && !response.redirected) {
    await response.body?.cancel()
    return
  }
  const said = without(await beginningOf(response.body), secrets)
  throw new EmailSignInError(`${service} did not take the message (status ${response.status}): see what it said`, {
    status: response.status,
    said,
  })
}

async function beginningOf(stream: Response["body"]): Promise<string> {
  if (stream === null) return ""
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  let text = ""
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    text += decoder.decode(read.value.subarray(0, longestAnswer), { stream: true })
    if (text.length < longestAnswer) continue
    reader.cancel().catch(() => {})
    break
  }
  return text.slice(0, longestAnswer)
}

function without(text: string, secrets: readonly (string | undefined)[]): string {
  const known = secrets.filter((secret): secret is string => secret !== undefined && secret !== "")
  const forms = known.flatMap((secret) => [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])
  const longestFirst = [...new Set(forms)].toSorted((a, b) => b.length - a.length)
  return longestFirst.reduce((shown, secret) => shown.replaceAll(secret, "[…]"), text).slice(0, longestShown)
}
