import { type Call, isObject } from "../facts.js"
import { compare, compareHeaders, type Context, type Grant, type Received, type Reply, wrap } from "./context.js"

const unauthorized: Reply = {
  status: 401,
  headers: { "www-authenticate": "Bearer" },
  body: { error: "invalid_token" },
}

/** The userinfo endpoint. */
export async function readProfile(context: Context, request: Received, grants: Map<string, Grant>): Promise<Reply> {
  const { facts, endpoints, quirks } = context
  const { userinfo = {} } = facts
  if (!hasToken(context, { url: String(endpoints.userinfo), ...userinfo }, request, grants)) return unauthorized
  const body = userinfo.answer ?? wrap(facts.samples[0].profile, userinfo.envelope)
  let reply: Reply = { status: 200, headers: {}, body }
  for (const quirk of quirks) reply = (await quirk.userinfo?.(reply, request, context)) ?? reply
  return reply
}

/** A further API call that completes the profile. */
export async function readMore(
  context: Context,
  call: Call,
  request: Received,
  grants: Map<string, Grant>,
): Promise<Reply> {
  if (!hasToken(context, call, request, grants)) return unauthorized
  const { status = 200, answer } = call
  const base64 = isObject(answer) ? answer["base64"] : undefined
  if (typeof base64 !== "string" || !isObject(answer)) return { status, headers: {}, body: answer }
  return { status, headers: { "content-type": String(answer["type"]) }, body: bytes(base64) }
}

function bytes(base64: string): ArrayBuffer {
  return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)).buffer
}

function hasToken(context: Context, call: Call, request: Received, grants: Map<string, Grant>): boolean {
  const { mismatch, quirks } = context
  // There is one user, and so one access token.
  const token = [...grants.values()].map(({ accessToken }) => accessToken).find((each) => grants.has(each))
  if (token === undefined) {
    mismatch(`${call.url}: requested before there were tokens`)
    return false
  }
  if (request.method !== (call.method ?? "GET")) mismatch(`${call.url}: the method is ${request.method}`)
  if (!quirks.some((quirk) => quirk.carries?.(request, token) === true)) checkToken(context, call, request, token)
  compareHeaders(context, call.url, request, call.headers)
  if (request.text !== "" && request.headers.get("content-type")?.startsWith("application/json") !== true)
    mismatch(`${call.url}: the body isn't JSON`)
  return true
}

/** RFC 6750 §2.1, unless the URL has a place for the token. */
function checkToken(context: Context, call: Call, { url, headers }: Received, token: string): void {
  const expected = new URL(call.url.replace("{token}", token))
  compare(context, call.url, Object.fromEntries(url.searchParams), Object.fromEntries(expected.searchParams))
  if (!call.url.includes("{token}") && headers.get("authorization") !== `Bearer ${token}`)
    context.mismatch(`${call.url}: the access token isn't in the header`)
}
