import type { AuthContext } from "../model/auth.js"
import type { AuthRequest, SafeUrl } from "../model/http.js"
import type { RequestContext } from "../module-kit/context.js"
import type { ModuleUser, StepUpQuestion } from "../module-kit/phases.js"
import { requestContext } from "./context.js"
import { type Installed, installed } from "./installed.js"

// What modules know about factors that a signed-in user proves again.

/** When the user proved factors in this browser. Milliseconds since 1970. */
export async function provenFactors(auth: AuthContext, request: AuthRequest): Promise<readonly number[]> {
  const found = await askEach(auth, request, async ({ stepUp }, context, user) => stepUp?.provenAt(context, user))
  // One from the future comes from a wrong clock.
  return found.filter((at) => at <= auth.runtime.now())
}

/** The page of the first module that has one for this user. */
export async function stepUpPage(
  auth: AuthContext,
  request: AuthRequest,
  question: StepUpQuestion,
): Promise<SafeUrl | undefined> {
  const [page] = await askEach(auth, request, async ({ stepUp }, context, user) =>
    stepUp?.page(context, user, question),
  )
  return page
}

async function askEach<T>(
  auth: AuthContext,
  request: AuthRequest,
  ask: (parts: Installed["parts"], context: RequestContext, user: ModuleUser) => Promise<T | null | undefined>,
): Promise<readonly T[]> {
  const answers: T[] = []
  for (const each of await installed(auth)) {
    if (each.parts.stepUp === undefined) continue
    const context = await requestContext(auth, request, each)
    const user = await context.user()
    const answer = user === null ? null : await ask(each.parts, context, user)
    if (answer !== null && answer !== undefined) answers.push(answer)
  }
  return answers
}
