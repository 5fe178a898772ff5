import type { RequestContext } from "@latchkey/core/module"
import { instruct } from "./instructions.js"
import { sessionIdentifier, timeLeft } from "./pass.js"
import { isPublicKey, proofIn, type PublicKey, textIn, verifies } from "./proof.js"

type Result = ReturnType<RequestContext["empty"]>

interface Binding {
  readonly id: string
  readonly key: PublicKey
}

/** The browser wants another short-lived cookie: it gets a challenge first, and the cookie for the proof. */
export async function refresh(context: RequestContext, maxAge: number): Promise<Result> {
  const binding = await bindingIn(context)
  // With any status of 400 and above except 403, the browser forgets its session.
  if (binding === undefined) return context.empty(400)
  if (await hasEnded(context, binding)) return forget(context)
  const proof = proofIn(context.request.headers)
  const challenge = proof === null ? null : await context.open(proof.challenge)
  const left = challenge?.["refreshes"] === binding.id ? timeLeft(context, challenge) : 0
  if (proof === null || left <= 0) return ask(context, binding, maxAge)
  if (await verifies(proof, binding.key)) return instruct(context, { ...binding, left })
  await context.emit("refused", null, { outcome: "failure" })
  return context.empty(400)
}

async function bindingIn(context: RequestContext): Promise<Binding | undefined> {
  const { headers, query } = context.request
  if (textIn(headers, "sec-secure-session-id") !== sessionIdentifier(context)) return undefined
  const { binds: id, key } = (await context.open(query["binding"] ?? "")) ?? {}
  return typeof id === "string" && isPublicKey(key) ? { id, key } : undefined
}

/**
 * Whether the user has signed out, or as another user in. A browser that comes from another site sends no cookies here, which the second
 * cookie tells: without it, nothing is known of the session.
 */
async function hasEnded(context: RequestContext, { id }: Binding): Promise<boolean> {
  const signIn = await context.signIn()
  return signIn === null ? context.cookie("bound") !== undefined : signIn.id !== id
}

function forget(context: RequestContext): Result {
  context.setCookie("bound", null)
  return context.json({ session_identifier: sessionIdentifier(context), continue: false })
}

async function ask(context: RequestContext, { id }: Binding, maxAge: number): Promise<Result> {
  const challenge = await context.seal({ refreshes: id }, maxAge)
  const value = `"${challenge}";id="${sessionIdentifier(context)}"`
  return context.empty(403, { "secure-session-challenge": value })
}
