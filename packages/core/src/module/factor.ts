import { FactorRefused, InvalidCheck } from "../errors.js"
import { textOf } from "../http/auth-request.js"
import { page, redirect } from "../http/respond.js"
import { failureMessage } from "../http/failure-message.js"
import { toPage } from "../http/redirect.js"
import { consumeAttempt } from "../limits/attempts.js"
import type { AuthContext } from "../model/auth.js"
import type { AuthRequest, AuthResult, Params } from "../model/http.js"
import type { FactorForm } from "../model/module-content.js"
import type { SignInAttempt } from "../module-kit/phases.js"
import { liveSession } from "../session/current.js"
import { continueSignIn, stepsFor } from "../signin/phases.js"
import { heldAttempt } from "./admit.js"
import { requestContext } from "./context.js"
import { factorStep } from "./factor-step.js"
import { type Installed, installed } from "./installed.js"
import { type Held, countTry, forgetHeld, heldIn, takeHeld } from "./pending.js"
import { scriptOf } from "./script.js"

interface Asked {
  readonly held: Held
  readonly installed: Installed
  readonly attempt: SignInAttempt
}

/** GET factor: what the user has to prove next. */
export async function factorPage(auth: AuthContext, request: AuthRequest): Promise<AuthResult> {
  const asked = await askedIn(auth, request)
  const { factor } = auth.pages
  if (factor !== undefined && request.wantsFlow !== true) return redirect(toPage(request, factor, {}))
  return show(auth, request, asked)
}

/** POST factor: what the user typed. The sign-in goes on where it was held. */
export async function answerFactor(auth: AuthContext, request: AuthRequest): Promise<AuthResult> {
  const asked = await askedIn(auth, request)
  const { held, installed: each, attempt } = asked
  const { factor } = each.parts
  if (factor === undefined) throw gone()
  // A thief of the password can start the sign-in again and again, so guesses count for the user, too.
  const refund = await consumeAttempt(auth, request, { action: "factor", identifiers: () => [held.pending.user.id] })
  await countTry(auth, held)
  const answer = await factor.verify(await requestContext(auth, request, each), attempt, typed(request))
  if (typeof answer === "string") return refused(auth, request, asked, answer)
  await refund()
  if (answer !== true && !("amr" in answer)) return show(auth, request, asked, { next: answer })
  await takeHeld(auth, held)
  const { pending } = held
  await tell(auth, asked, "success")
  const { passed, amr } = pending
  const added = answer === true ? factor.amr : answer.amr
  const proven = { ...pending, passed: [...passed, each.module.id], amr: [...new Set([...amr, ...added])] }
  const result = await continueSignIn(auth, request, proven)
  // The next factor has set the cookie anew.
  const isHeldAgain = result.cookies.some(({ name }) => name === request.scheme.cookies.pendingSignIn.name)
  return isHeldAgain ? result : { ...result, cookies: [...forgetHeld(request), ...result.cookies] }
}

async function askedIn(auth: AuthContext, request: AuthRequest): Promise<Asked> {
  const held = await heldIn(auth, request)
  const { asks, proof } = held.pending
  const each = (await installed(auth)).find(({ module }) => module.id === asks)
  if (each === undefined) throw gone()
  const steps = await stepsFor(auth, request, proof)
  const resolved = await steps.resolve(await steps.findOwner(), await liveSession(auth, request))
  if (resolved.refusal !== undefined) throw await resolved.refusal()
  return { held, installed: each, attempt: heldAttempt(held, resolved) }
}

function gone(): InvalidCheck {
  return new InvalidCheck("The second factor that was asked for isn't configured anymore. Start the sign-in again")
}

function typed({ body }: AuthRequest): Params {
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) => (textOf(value) ? [[name, String(value)]] : [])),
  )
}

/** A wrong answer is a failed sign-in (OWASP ASVS 16.3.1). */
async function refused(auth: AuthContext, request: AuthRequest, asked: Asked, text: string): Promise<AuthResult> {
  const error = new FactorRefused(`The second factor ${asked.installed.module.id} was refused`)
  await auth.events.signInFailure(failureMessage(auth, error, request))
  await tell(auth, asked, "failure")
  return show(auth, request, asked, { error: text })
}

async function tell(
  auth: AuthContext,
  { held, installed: each }: Asked,
  outcome: "success" | "failure",
): Promise<void> {
  const data = { factor: each.module.id }
  await auth.audit?.emit({ name: "factor.answered", outcome, user: held.pending.user.id, data })
}

interface Outcome {
  readonly error?: string
  /** @default the first form of the factor */
  readonly next?: FactorForm
}

async function show(
  auth: AuthContext,
  request: AuthRequest,
  asked: Asked,
  { error, next }: Outcome = {},
): Promise<AuthResult> {
  const shown = await factorStep(auth, request, asked, next)
  if (shown === null) throw gone()
  const { form, step, cookies } = shown
  const script = await scriptOf(asked.installed)
  return page({ name: "factor", form, step, error, script }, cookies, error === undefined ? 200 : 401)
}
