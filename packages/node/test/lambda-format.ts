import type { LambdaEvent, LambdaResult } from "../src/lambda.js"

export const formats = ["an HTTP API", "a REST API", "a load balancer", "a load balancer with lists"] as const
export type Format = (typeof formats)[number]

/** The event that AWS documents for a request. Bodies of forms come in Base64 from function URLs. */
export async function eventOf(format: Format, request: Request): Promise<LambdaEvent> {
  const url = new URL(request.url)
  const { cookie, ...headers } = {
    ...Object.fromEntries(request.headers),
    host: url.host,
    "x-forwarded-proto": "https",
  } as Record<string, string>
  const text = await request.text()
  if (format === "an HTTP API") {
    return {
      version: "2.0",
      rawPath: url.pathname,
      rawQueryString: url.search.slice(1),
      headers,
      ...(cookie === undefined ? {} : { cookies: cookie.split("; ") }),
      requestContext: { domainName: url.host, http: { method: request.method, sourceIp: "203.0.113.7" } },
      ...(text === "" ? {} : { body: Buffer.from(text).toString("base64") }),
      isBase64Encoded: text !== "",
    }
  }
  const all = cookie === undefined ? headers : { ...headers, cookie }
  const isBalancer = format !== "a REST API"
  const query = isBalancer ? url.search.slice(1).split("&").filter(Boolean).map(halves) : [...url.searchParams]
  const lists = Object.fromEntries(Object.entries(all).map(([name, value]) => [name, [value]]))
  const names = [...new Set(query.map(([name]) => name))]
  const valuesOf = (wanted: string) => query.flatMap(([name, value]) => (name === wanted ? [value] : []))
  return {
    httpMethod: request.method,
    path: url.pathname,
    headers: format === "a load balancer with lists" ? undefined : all,
    multiValueHeaders: format === "a load balancer" ? undefined : lists,
    queryStringParameters: Object.fromEntries(query),
    // A load balancer without lists keeps only the last value.
    multiValueQueryStringParameters: Object.fromEntries(names.map((name) => [name, valuesOf(name)])),
    requestContext: isBalancer ? { elb: {} } : { path: url.pathname, identity: { sourceIp: "203.0.113.7" } },
    body: text === "" ? null : text,
    isBase64Encoded: false,
  }
}

function halves(pair: string): [string, string] {
  const at = pair.indexOf("=")
  return [pair.slice(0, at), pair.slice(at + 1)]
}

/** The response that AWS makes of a result. */
export function responseOf(result: LambdaResult<LambdaEvent>): Response {
  const { headers: single = {}, multiValueHeaders = {}, cookies = [] }: AnyResult = result
  const headers = new Headers(Object.entries(single))
  for (const [name, values] of Object.entries(multiValueHeaders))
    for (const value of values) headers.append(name, value)
  for (const cookie of cookies) headers.append("set-cookie", cookie)
  const body = Buffer.from(result.body, result.isBase64Encoded ? "base64" : "utf8")
  return new Response(body.length === 0 ? null : body, { status: result.statusCode, headers })
}

interface AnyResult {
  readonly headers?: Record<string, string>
  readonly multiValueHeaders?: Record<string, string[]>
  readonly cookies?: string[]
}
