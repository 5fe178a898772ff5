import type { AuthorizationAnswer } from "@latchkey/testing"
import { client } from "../facts.js"
import { compare, type Desk, type Grant } from "./desk.js"

/** RFC 6749 §4.1.1 and §4.1.2: every parameter is known, and none is missing. */
export function authorize(desk: Desk, address: URL): { readonly grant: Grant; readonly answer: AuthorizationAnswer } {
  const { facts, places, complain } = desk
  const asked = Object.fromEntries(address.searchParams)
  if (bare(address) !== bare(places.authorization)) complain(`authorization: sent to ${bare(address)}`)
  if (address.search.includes("+")) complain("authorization: a space is written as +")
  if ([...address.searchParams].length !== Object.keys(asked).length) complain("authorization: a parameter came twice")
  const expected = desk.quirks.reduce(
    (fields, quirk) => quirk.expects?.(fields, asked) ?? fields,
    expectedOf(desk, asked),
  )
  compare(desk, "authorization", asked, expected)

  const code = `code/of ${facts.id}`
  const grant: Omit<Grant, "accessToken"> = {
    code,
    redirectUri: asked["redirect_uri"] ?? "",
    scope: asked["scope"],
    challenge: asked["code_challenge"],
    nonce: asked["nonce"],
    asked,
  }
  const plain = { ...grant, accessToken: `access-${desk.now()}` }
  const accessToken = desk.quirks.find((quirk) => quirk.accessToken)?.accessToken?.(plain) ?? plain.accessToken
  return { grant: { ...plain, accessToken }, answer: wayBack(desk, plain) }
}

function expectedOf({ facts, places }: Desk, asked: Readonly<Record<string, string>>): Record<string, string> {
  return {
    ...Object.fromEntries(places.authorization.searchParams),
    response_type: "code",
    client_id: client.clientId,
    redirect_uri: `https://app.test/auth/callback/${facts.id}`,
    ...facts.authorization.params,
    state: random(asked["state"]),
    ...(facts.checks.includes("pkce")
      ? { code_challenge: random(asked["code_challenge"]), code_challenge_method: facts.pkce ?? "S256" }
      : {}),
    ...(facts.checks.includes("nonce") ? { nonce: random(asked["nonce"]) } : {}),
  }
}

/** Whatever came, if nobody could guess it. */
function random(value: string | undefined): string {
  return value !== undefined && /^[\w-]{43,}$/.test(value) ? value : "43 random characters"
}

function wayBack({ facts, quirks }: Desk, { asked, code, redirectUri }: Grant): AuthorizationAnswer {
  const location = new URL(redirectUri)
  const fields = { code, state: asked["state"] ?? "", ...facts.callback }
  for (const [name, value] of Object.entries(fields)) location.searchParams.set(name, value)
  const usual: AuthorizationAnswer = { method: "GET", location: location.href }
  return quirks.reduce<AuthorizationAnswer>((answer, quirk) => quirk.callback?.(answer) ?? answer, usual)
}

/** The fragment counts too. */
function bare(url: URL): string {
  return url.origin + url.pathname + url.hash
}
