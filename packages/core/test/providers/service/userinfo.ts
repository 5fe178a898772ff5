import { isObject } from "../facts.js"
import type { Call } from "../facts.js"
import { compare, compareHeaders, type Desk, type Grant, type Seen, type Wire, wrap } from "./desk.js"

const denied: Wire = { status: 401, headers: { "www-authenticate": "Bearer" }, body: { error: "invalid_token" } }

/** Who it is, for whoever has the access token and asks as this service wants to be asked. */
export async function readProfile(desk: Desk, seen: Seen, grants: Map<string, Grant>): Promise<Wire> {
  const { facts, places, quirks } = desk
  const { userinfo = {} } = facts
  if (!asksRight(desk, { url: String(places.userinfo), ...userinfo }, seen, grants)) return denied
  const body = userinfo.answer ?? wrap(facts.samples[0].profile, userinfo.envelope)
  let wire: Wire = { status: 200, headers: {}, body }
  for (const quirk of quirks) wire = (await quirk.userinfo?.(wire, seen, desk)) ?? wire
  return wire
}

/** Another call that completes the profile. */
export async function readMore(desk: Desk, call: Call, seen: Seen, grants: Map<string, Grant>): Promise<Wire> {
  if (!asksRight(desk, call, seen, grants)) return denied
  const { status = 200, answer } = call
  const base64 = isObject(answer) ? answer["base64"] : undefined
  if (typeof base64 !== "string" || !isObject(answer)) return { status, headers: {}, body: answer }
  return { status, headers: { "content-type": String(answer["type"]) }, body: bytes(base64) }
}

function bytes(base64: string): ArrayBuffer {
  return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)).buffer
}

function asksRight(desk: Desk, call: Call, seen: Seen, grants: Map<string, Grant>): boolean {
  // There is one person, and so one access token.
  const token = [...grants.values()].map(({ accessToken }) => accessToken).find((each) => grants.has(each))
  if (token === undefined) {
    desk.complain(`${call.url}: asked for before there were tokens`)
    return false
  }
  if (seen.method !== (call.method ?? "GET")) desk.complain(`${call.url}: the method is ${seen.method}`)
  if (!desk.quirks.some((quirk) => quirk.carries?.(seen, token) === true)) checkToken(desk, call, seen, token)
  compareHeaders(desk, call.url, seen, call.headers)
  if (seen.text !== "" && seen.headers.get("content-type")?.startsWith("application/json") !== true)
    desk.complain(`${call.url}: there is a body, and it is no JSON`)
  return true
}

/** RFC 6750 §2.1, unless the address has a place for it. */
function checkToken(desk: Desk, call: Call, { url, headers }: Seen, token: string): void {
  const address = new URL(call.url.replace("{token}", token))
  compare(desk, call.url, Object.fromEntries(url.searchParams), Object.fromEntries(address.searchParams))
  if (!call.url.includes("{token}") && headers.get("authorization") !== `Bearer ${token}`)
    desk.complain(`${call.url}: the access token is not in the header`)
}
