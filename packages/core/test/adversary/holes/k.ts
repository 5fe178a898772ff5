import type { Hole } from "./hole.js"

const file = "packages/core/test/attacks/explained.test.ts"

/** The user can tell what happens. */
export const holes: readonly Hole[] = [
  {
    name: "the page before an email link signs in doesn't name the account",
    file: "src/features/email/confirmation.ts",
    replace: "const account = masked(fields.email)",
    with: "const account = undefined",
    test: {
      file,
      title: "the page before a link signs in names the account and the browser that requested it",
    },
  },
  {
    name: "the page before an email link signs in doesn't name the user whom it replaces",
    file: "src/features/email/confirmation.ts",
    replace: 'return sameMailbox(current, email) ? undefined : (masked(current) ?? "")',
    with: "return undefined",
    test: {
      file,
      title: "the page before a link signs in names the user whom it replaces, and keeps the session",
    },
  },
  {
    name: "a sign-out that failed can't be tried again",
    file: "src/endpoints/signout.ts",
    replace: "remember(auth, request, problem, await pendingEnding(request, left))",
    with: "remember(auth, request, problem)",
    test: {
      file,
      title: "a sign-out that the database refused can be tried again without the cookie",
    },
  },
  {
    name: "a browser without cookies isn't told so",
    file: "src/features/oauth/flow.ts",
    replace: 'if (names.length === 0) return "no-cookie"',
    with: "if (names.length === 0) return undefined",
    test: { file, title: "a browser that drops cookies is told so, and the code isn't used" },
  },
]
