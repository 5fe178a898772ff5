import { applyFaults, faultsAt, type Refusal } from "../faults/fault.js"
import { trackSecret } from "../secrets.js"
import { isFromClient } from "./client-authentication.js"
import { idTokenFor } from "./id-token.js"
import type { Answer, RecordedRequest } from "./messages.js"
import { send } from "./send.js"
import { type Grant, type IssuedCode, type IssuedRefreshToken, type ProviderState, randomToken } from "./state.js"

type Problem = Omit<Refusal, "status"> | undefined

/** RFC 6749 §4.1.3, §5 and §6. */
export async function answerToken(op: ProviderState, request: RecordedRequest): Promise<Response> {
  const early = firstRefusal(op, [
    methodProblem(request),
    contentTypeProblem(request),
    await clientProblem(op, request),
  ])
  if (early !== undefined) return refuse(early)
  switch (request.form.get("grant_type")) {
    case "authorization_code":
      return await exchangeCode(op, request)
    case "refresh_token":
      return await refresh(op, request)
    default:
      return refuse({ error: "unsupported_grant_type", reason: "grant-type", status: 400 })
  }
}

function firstRefusal(op: ProviderState, problems: readonly Problem[]): Refusal | undefined {
  for (const problem of problems) {
    if (problem === undefined) continue
    const refusal = { ...problem, status: statusOf(problem.reason) }
    if (!faultsAt(op.faults, "overlook").some((overlook) => overlook(refusal))) return refusal
  }
  return undefined
}

function statusOf(reason: Refusal["reason"]): number {
  if (reason === "client-authentication") return 401
  return reason === "method" ? 405 : 400
}

function refuse({ status, error, reason }: Refusal): Response {
  const challenge = status === 401 ? { "www-authenticate": 'Basic realm="op"' } : {}
  return send({ status, headers: challenge, body: { error, error_description: reason } })
}

function methodProblem({ method }: RecordedRequest): Problem {
  return method === "POST" ? undefined : { error: "invalid_request", reason: "method" }
}

function contentTypeProblem({ headers }: RecordedRequest): Problem {
  const isForm = headers.get("content-type")?.startsWith("application/x-www-form-urlencoded") === true
  return isForm ? undefined : { error: "invalid_request", reason: "content-type" }
}

async function clientProblem(op: ProviderState, request: RecordedRequest): Promise<Problem> {
  const isClient = await isFromClient(op, request)
  return isClient ? undefined : { error: "invalid_client", reason: "client-authentication" }
}

async function exchangeCode(op: ProviderState, { form }: RecordedRequest): Promise<Response> {
  const issued = op.codes.get(form.get("code") ?? "")
  if (issued === undefined) return refuse({ error: "invalid_grant", reason: "code-unknown", status: 400 })
  const wasUsed = issued.used
  // Set before the first `await`, so that only one of two parallel requests succeeds.
  issued.used = true
  const refusal = firstRefusal(op, [
    wasUsed ? { error: "invalid_grant", reason: "code-used" } : undefined,
    op.now() >= issued.expires ? { error: "invalid_grant", reason: "code-expired" } : undefined,
    form.get("redirect_uri") === issued.redirectUri ? undefined : { error: "invalid_grant", reason: "redirect-uri" },
    (await fitsChallenge(issued, form.get("code_verifier"))) ? undefined : { error: "invalid_grant", reason: "pkce" },
  ])
  return refusal === undefined ? await grantTokens(op, issued.grant, issued.grant.nonce) : refuse(refusal)
}

/** RFC 7636 §4.6. A verifier without a challenge is rejected too (RFC 9700 §2.1.1). */
async function fitsChallenge({ challenge }: IssuedCode, verifier: string | null): Promise<boolean> {
  if (challenge === undefined || verifier === null) return challenge === undefined && verifier === null
  if (!/^[\w.~-]{43,128}$/.test(verifier)) return false
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier))
  return Buffer.from(digest).toString("base64url") === challenge
}

/** Each refresh token can be used once (RFC 9700 §4.14.2). */
async function refresh(op: ProviderState, { form }: RecordedRequest): Promise<Response> {
  const issued = op.refreshTokens.get(form.get("refresh_token") ?? "")
  if (issued === undefined) return refuse({ error: "invalid_grant", reason: "refresh-token-unknown", status: 400 })
  const refusal = firstRefusal(op, [reuseProblem(issued)])
  issued.used = true
  return refusal === undefined ? await grantTokens(op, issued.grant, undefined) : refuse(refusal)
}

function reuseProblem({ used }: IssuedRefreshToken): Problem {
  return used ? { error: "invalid_grant", reason: "refresh-token-used" } : undefined
}

async function grantTokens(op: ProviderState, grant: Grant, nonce: string | undefined): Promise<Response> {
  const accessToken = randomToken("access")
  const refreshToken = randomToken("refresh")
  op.accessTokens.set(accessToken, { grant, expires: op.now() + op.lifetime * 1000 })
  op.refreshTokens.set(refreshToken, { grant, used: false })
  const isOpenId = grant.scope.split(" ").includes("openid")
  const body = {
    access_token: accessToken,
    token_type: "Bearer",
    expires_in: op.lifetime,
    refresh_token: refreshToken,
    ...(grant.scope === "" ? {} : { scope: grant.scope }),
    ...(isOpenId ? { id_token: await idTokenFor(op, grant, { nonce, accessToken }) } : {}),
  }
  const correct: Answer = { status: 200, headers: {}, body }
  const answer = await applyFaults<Answer, Response>(correct, faultsAt(op.faults, "token"))
  if (!(answer instanceof Response)) trackTokens(answer.body)
  return send(answer)
}

function trackTokens(body: Answer["body"]): void {
  for (const [name, value] of Object.entries(body)) if (name.endsWith("_token")) trackSecret(name, value)
}
