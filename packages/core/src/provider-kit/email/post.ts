import { AuthError, EmailSignInError } from "../../errors.js"
import type { Fetch } from "../../model/provider.js"
import { isLoopback } from "../../primitives/ip-address.js"
import { within } from "../../primitives/runtime.js"

/** Less than the 10 seconds for a `sendVerificationRequest` of your own, so that the error names the service. */
const timeoutMs = 9500

/** Characters of the response that are read. */
const maxResponseLength = 4096

/** Characters of the response in an error. The limit leaves out a secret that was cut off at the end of the read part. */
const maxExcerptLength = 1024

export interface Delivery {
  /** Name of the service, for error messages. */
  readonly service: string
  readonly endpoint: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | FormData | URLSearchParams
  readonly fetch: Fetch
  /** Values to remove from the response, which may repeat them, before it goes into an error. */
  readonly secrets: readonly (string | undefined)[]
}

/**
 * Sends a message to a service. Doesn't follow redirects, because they would send the key to another host.
 *
 * @throws EmailSignInError with the status and the start of the response, without key, email, link and code
 */
export async function deliver(delivery: Delivery): Promise<void> {
  const { service, endpoint } = delivery
  if (!isSafe(endpoint)) {
    throw new AuthError(`The endpoint of ${service} isn't an https URL. Correct \`endpoint\`.`)
  }
  const controller = new AbortController()
  await within(timeoutMs, post(delivery, controller.signal), () => {
    controller.abort()
    throw new EmailSignInError(`${service} didn't respond in time. Try again, or check its status page.`)
  })
}

/** The request contains the key and the link. HTTP is allowed only on this machine, for tests and proxies. */
function isSafe(endpoint: string): boolean {
  if (!URL.canParse(endpoint)) return false
  const url = new URL(endpoint)
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url))
}

async function post(
  { service, endpoint, headers, body, fetch, secrets }: Delivery,
  signal: AbortSignal,
): Promise<void> {
  const response = await fetch(endpoint, { method: "POST", headers, body, signal, redirect: "manual" })
  if (response.ok && !response.redirected) {
    await response.body?.cancel()
    return
  }
  const excerpt = redact(await readStart(response.body), secrets).slice(0, maxExcerptLength)
  throw new EmailSignInError(
    `${service} rejected the email (status ${response.status}). See \`response\` for details.`,
    {
      status: response.status,
      response: excerpt,
    },
  )
}

async function readStart(stream: Response["body"]): Promise<string> {
  if (stream === null) return ""
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  let text = ""
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    text += decoder.decode(read.value.subarray(0, maxResponseLength), { stream: true })
    if (text.length < maxResponseLength) continue
    reader.cancel().catch(() => {})
    break
  }
  return text.slice(0, maxResponseLength)
}

function redact(text: string, secrets: readonly (string | undefined)[]): string {
  const known = secrets.filter((secret): secret is string => secret !== undefined && secret !== "")
  const forms = known.flatMap((secret) => [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])
  const longestFirst = [...new Set(forms)].toSorted((a, b) => b.length - a.length)
  return longestFirst.reduce((redacted, secret) => redacted.replaceAll(secret, "[…]"), text)
}
