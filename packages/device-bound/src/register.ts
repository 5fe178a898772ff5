import type { RequestContext } from "@latchkey/core/module"
import { instruct } from "./instructions.js"
import { timeLeft } from "./pass.js"
import { publicKeyIn, proofIn, verifies } from "./proof.js"

type Result = ReturnType<RequestContext["empty"]>
type Offer = Readonly<Record<string, string>>

/** Asks the browser for a key. Only the response to a sign-in does, so that a stolen cookie can't be bound to another key. */
export async function offer(context: RequestContext, id: string, maxAge: number): Promise<Offer> {
  const challenge = await context.seal({ registers: id }, maxAge)
  const path = context.url("register")
  return { "secure-session-registration": `(ES256 RS256);path="${path}";challenge="${challenge}"` }
}

/** The browser's key, proven. */
export async function register(context: RequestContext): Promise<Result> {
  const proof = proofIn(context.request.headers)
  const key = proof === null ? undefined : publicKeyIn(proof)
  if (proof === null || key === undefined || !(await verifies(proof, key))) return context.empty(400)
  const challenge = await context.open(proof.challenge)
  const [id, left] = [challenge?.["registers"], timeLeft(context, challenge)]
  if (typeof id !== "string" || left <= 0) return context.empty(400)
  // The cookie isn't sent if the sign-in came from another site, as from a provider. If it is, it's of this sign-in.
  const signIn = await context.signIn()
  if (signIn !== null && signIn.id !== id) return context.empty(400)
  await context.emit("registered", null)
  return instruct(context, { id, key, left })
}
