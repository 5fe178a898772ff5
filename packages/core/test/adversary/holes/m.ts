import type { Hole } from "./hole.js"

const factor = "packages/core/test/modules/factor.test.ts"
const property = {
  file: "packages/core/test/modules/factor-property.test.ts",
  title: "no response before the factor sets a session cookie",
}

/** A second factor holds every sign-in. */
export const holes: readonly Hole[] = [
  {
    name: "a sign-in with an email link passes without the factor",
    file: "src/module/admit.ts",
    replace: "if (resolved.isContinued === true) return undefined",
    with: 'if (resolved.isContinued === true || attempt.method === "email") return undefined',
    test: property,
  },
  {
    name: "an empty answer passes for the factor",
    file: "src/module/factor.ts",
    replace: "const answer = await factor.verify(await requestContext(auth, request, each), attempt, typed(request))",
    with: `const given = typed(request)
  const answer =
    Object.keys(given).length < 2 || (await factor.verify(await requestContext(auth, request, each), attempt, given))`,
    test: property,
  },
  {
    name: "who knows the password guesses the second factor by starting again and again",
    file: "src/module/factor.ts",
    replace: "identifiers: () => [held.pending.user.id]",
    with: "identifiers: () => [held.key]",
    test: { file: factor, title: "can't go on guessing by starting the sign-in again" },
  },
  {
    name: "a held sign-in can be answered as often as a script likes",
    file: "src/module/factor.ts",
    replace: "await countTry(auth, held)",
    with: "",
    test: { file: factor, title: "the sixth answer isn't looked at" },
  },
  {
    name: "parallel right answers each get a session",
    file: "src/module/factor.ts",
    replace: "await takeHeld(auth, held)",
    with: "",
    test: { file: factor, title: "of parallel right answers, one signs in" },
  },
  {
    name: "a held sign-in goes on for a user whose email was taken over",
    file: "src/module/admit.ts",
    replace: "if (user.id === now.id && isSameEmail && user.isVerified === now.isVerified) return",
    with: "if (user.id === now.id) return",
    test: { file: factor, title: "while the factor is asked" },
  },
  {
    name: "another site answers the factor with a form",
    file: "src/engine/routes.ts",
    replace: '["POST factor", { handle: checked(answerFactor), isSignIn: true }]',
    with: '["POST factor", { handle: answerFactor, isSignIn: true }]',
    test: { file: factor, title: "isn't an answer" },
  },
  {
    name: "a guard that fails lets everyone in",
    file: "src/module/admit.ts",
    replace: 'return { kind: "deny", reason: "its guard failed", cause, by }',
    with: 'return { kind: "allow", by }',
    test: { file: "packages/core/test/modules/guards.test.ts", title: "that fails refuses the sign-in" },
  },
]
