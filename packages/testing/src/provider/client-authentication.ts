import { type CryptoKey, decodeProtectedHeader, type JWTPayload, jwtVerify } from "jose"
import { endpointsOf } from "./endpoints.js"
import type { RecordedRequest } from "./messages.js"
import type { ClientAuthentication } from "./model.js"
import type { ProviderState } from "./state.js"

/** Whether the request authenticates the client with the registered method. */
export async function isFromClient(op: ProviderState, request: RecordedRequest): Promise<boolean> {
  const method = await methodOf(request)
  if (method === undefined || !isAccepted(op, method)) return false
  return await proofs[method](op, request)
}

function isAccepted(op: ProviderState, method: ClientAuthentication): boolean {
  if (op.authentication !== undefined) return method === op.authentication
  return method === "private_key_jwt" ? op.clientPublicKey !== undefined : method !== "none"
}

/** RFC 6749 §2.3: a client must not use more than one method in a request. */
async function methodOf({ headers, form }: RecordedRequest): Promise<ClientAuthentication | undefined> {
  const assertion = form.get("client_assertion")
  const used: readonly (ClientAuthentication | undefined)[] = [
    headers.has("authorization") ? "client_secret_basic" : undefined,
    form.has("client_secret") ? "client_secret_post" : undefined,
    assertion === null ? undefined : assertionMethod(assertion),
  ]
  const [method, second] = used.filter((one) => one !== undefined)
  if (second !== undefined) return undefined
  return method ?? "none"
}

function assertionMethod(assertion: string): ClientAuthentication | undefined {
  try {
    return decodeProtectedHeader(assertion).alg?.startsWith("HS") === true ? "client_secret_jwt" : "private_key_jwt"
  } catch {
    return undefined
  }
}

type Proof = (op: ProviderState, request: RecordedRequest) => boolean | Promise<boolean>

const proofs: Readonly<Record<ClientAuthentication, Proof>> = {
  client_secret_basic: (op, { headers }) => isBasicOf(op, headers.get("authorization") ?? ""),
  client_secret_post: (op, { form }) =>
    form.get("client_id") === op.clientId && form.get("client_secret") === op.clientSecret,
  client_secret_jwt: (op, request) => provesAssertion(op, request, new TextEncoder().encode(op.clientSecret)),
  private_key_jwt: (op, request) =>
    op.clientPublicKey === undefined ? false : provesAssertion(op, request, op.clientPublicKey),
  none: (op, { form }) => form.get("client_id") === op.clientId,
}

/** RFC 6749 §2.3.1: both parts are form-encoded, so each can contain a colon. */
function isBasicOf(op: ProviderState, header: string): boolean {
  const encoded = /^basic ([a-z\d+/]+=*)$/i.exec(header)?.[1]
  if (encoded === undefined) return false
  const parts = Buffer.from(encoded, "base64").toString("utf8").split(":")
  if (parts.length !== 2) return false
  const [id, secret] = parts.map(formDecoded)
  return id === op.clientId && secret === op.clientSecret
}

function formDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll("+", " "))
  } catch {
    return undefined
  }
}

/** RFC 7523 §3 */
async function provesAssertion(
  op: ProviderState,
  { form }: RecordedRequest,
  key: CryptoKey | Uint8Array,
): Promise<boolean> {
  if (form.get("client_assertion_type") !== "urn:ietf:params:oauth:client-assertion-type:jwt-bearer") return false
  const expected = {
    issuer: op.clientId,
    subject: op.clientId,
    audience: [op.issuer, endpointsOf(op.issuer).token],
    currentDate: new Date(op.now()),
    requiredClaims: ["exp", "jti"],
  }
  try {
    const { payload } = await jwtVerify(form.get("client_assertion") ?? "", key, expected)
    return isFirstUse(op, payload)
  } catch {
    return false
  }
}

function isFirstUse(op: ProviderState, { jti = "" }: JWTPayload): boolean {
  if (jti === "" || op.assertionIds.has(jti)) return false
  op.assertionIds.add(jti)
  return true
}
