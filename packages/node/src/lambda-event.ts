type Values = Readonly<Record<string, string | undefined>> | null | undefined
type MultiValues = Readonly<Record<string, readonly string[] | undefined>> | null | undefined

/** Of an HTTP API (API Gateway), or of a function URL. */
export interface LambdaEventV2 {
  readonly version: string
  readonly rawPath: string
  readonly rawQueryString: string
  readonly cookies?: readonly string[] | undefined
  readonly headers: Values
  readonly requestContext: {
    readonly domainName?: string
    readonly http: { readonly method: string; readonly sourceIp?: string }
  }
  readonly body?: string | null | undefined
  readonly isBase64Encoded?: boolean
}

/** Of a REST API (API Gateway), or of a load balancer. */
export interface LambdaEventV1 {
  readonly httpMethod: string
  readonly path: string
  readonly headers?: Values
  readonly multiValueHeaders?: MultiValues
  readonly queryStringParameters?: Values
  readonly multiValueQueryStringParameters?: MultiValues
  readonly requestContext: {
    readonly domainName?: string | undefined
    readonly path?: string
    readonly identity?: { readonly sourceIp?: string }
    readonly elb?: object
  }
  readonly body: string | null
  readonly isBase64Encoded: boolean
}

export type LambdaEvent = LambdaEventV1 | LambdaEventV2

export interface LambdaResultV2 {
  statusCode: number
  headers: Record<string, string>
  cookies: string[]
  body: string
  isBase64Encoded: boolean
}

export interface LambdaResultV1 {
  statusCode: number
  headers?: Record<string, string>
  multiValueHeaders?: Record<string, string[]>
  body: string
  isBase64Encoded: boolean
}

/** What Lambda returns for an event. */
export type LambdaResult<E extends LambdaEvent> = E extends LambdaEventV2 ? LambdaResultV2 : LambdaResultV1

/** The event as a web `Request`. */
export function toRequest(event: LambdaEvent): Request {
  const headers = headersOf(event)
  const isPlain = headers.get("x-forwarded-proto") === "http"
  const host = headers.get("host") ?? event.requestContext.domainName ?? "localhost"
  const url = `${isPlain ? "http" : "https"}://${host}${targetOf(event)}`
  const method = isV2(event) ? event.requestContext.http.method : event.httpMethod
  const hasBody = method !== "GET" && method !== "HEAD" && event.body
  return new Request(url, { method, headers, body: hasBody ? bodyOf(event) : null })
}

/** The IP address of the client, according to AWS. */
export function sourceIp(event: LambdaEvent): string | undefined {
  return isV2(event) ? event.requestContext.http.sourceIp : event.requestContext.identity?.sourceIp
}

/** The result for a response. The event decides its format. */
export async function toResult<E extends LambdaEvent>(response: Response, event: E): Promise<LambdaResult<E>> {
  const bytes = Buffer.from(await response.arrayBuffer())
  const isBase64Encoded = !isText(response.headers)
  const body = bytes.toString(isBase64Encoded ? "base64" : "utf8")
  const result = { statusCode: response.status, body, isBase64Encoded, ...headersFor(response.headers, event) }
  // The format follows from the event, which TypeScript can't see.
  return result as unknown as LambdaResult<E>
}

function headersFor(
  given: Headers,
  event: LambdaEvent,
): Pick<LambdaResultV2, "headers" | "cookies"> | Pick<LambdaResultV1, "headers" | "multiValueHeaders"> {
  const cookies = given.getSetCookie()
  const headers = Object.fromEntries([...given].filter(([name]) => name !== "set-cookie"))
  if (isV2(event)) return { headers, cookies }
  // A load balancer takes the format in which it sends headers.
  if (event.requestContext.elb !== undefined && event.multiValueHeaders == null)
    return { headers: oneEach(headers, cookies) }
  const multiValueHeaders = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]))
  return {
    multiValueHeaders: cookies.length === 0 ? multiValueHeaders : { ...multiValueHeaders, "set-cookie": cookies },
  }
}

/** Each header can have one value, but names that differ in case are different headers. */
function oneEach(headers: Record<string, string>, cookies: readonly string[]): Record<string, string> {
  const names = cookies.map((_, index) =>
    "set-cookie".replace(/./g, (letter, at: number) => ((index >> at) & 1 ? letter.toUpperCase() : letter)),
  )
  return { ...headers, ...Object.fromEntries(names.map((name, index) => [name, cookies[index] ?? ""])) }
}

function isV2(event: LambdaEvent): event is LambdaEventV2 {
  return "http" in event.requestContext
}

function headersOf(event: LambdaEvent): Headers {
  const headers = new Headers()
  const multiple = isV2(event) ? undefined : event.multiValueHeaders
  for (const [name, value] of Object.entries(multiple ?? event.headers ?? {}))
    for (const one of listOf(value)) headers.append(name, one)
  // HTTP APIs move the cookies out of the headers.
  if (isV2(event) && event.cookies !== undefined) headers.set("cookie", event.cookies.join("; "))
  return headers
}

function targetOf(event: LambdaEvent): string {
  if (isV2(event)) return event.rawPath + (event.rawQueryString === "" ? "" : `?${event.rawQueryString}`)
  const query = queryOf(event)
  // `path` leaves out the stage or the mapping of a domain, which the browser needs.
  return (event.requestContext.path ?? event.path) + (query === "" ? "" : `?${query}`)
}

function queryOf({ multiValueQueryStringParameters, queryStringParameters, requestContext }: LambdaEventV1): string {
  const given = Object.entries(multiValueQueryStringParameters ?? queryStringParameters ?? {})
  const pairs = given.flatMap(([name, value]) => listOf(value).map((one): [string, string] => [name, one]))
  // A load balancer leaves them encoded.
  if (requestContext.elb !== undefined) return pairs.map((pair) => pair.join("=")).join("&")
  return new URLSearchParams(pairs).toString()
}

function listOf(value: string | readonly string[] | undefined): readonly string[] {
  return typeof value === "string" ? [value] : (value ?? [])
}

function bodyOf({ body, isBase64Encoded = false }: LambdaEvent): string | Uint8Array<ArrayBuffer> {
  return isBase64Encoded ? new Uint8Array(Buffer.from(body ?? "", "base64")) : (body ?? "")
}

/** A function URL or an HTTP API sends text as it is. A REST API sends Base64 as bytes only for its `binaryMediaTypes`. */
function isText(headers: Headers): boolean {
  const type = headers.get("content-type")
  if (headers.has("content-encoding")) return false
  return type === null || /^text\/|json|xml|javascript|x-www-form-urlencoded/.test(type)
}
