import type { Hole } from "./hole.js"

const callbacks = "packages/core/test/attacks/session-callback.test.ts"

/** The engine decides identity. */
export const holes: readonly Hole[] = [
  {
    name: "an update of a browser reaches the callbacks with every field",
    file: "src/endpoints/session.ts",
    replace: "data: (live: LiveSession) => receivedUpdate(auth, data, live)",
    with: "data: (live: LiveSession) => (live === null ? receivedUpdate(auth, data, live) : (data as never))",
    breaks: "identity-fixed",
  },
  {
    name: "an update of a browser reaches the callbacks with every field of `user`",
    file: "src/session/received-update.ts",
    replace: 'place === "user" || everywhere',
    with: "everywhere",
    breaks: "identity-fixed",
  },
  {
    name: "a jwt callback gives the session to another user",
    file: "src/session/jwt-callback.ts",
    replace: "keepsSubject: rules.fixedClaims || revocableSessions ||",
    with: "keepsSubject:",
    test: { file: callbacks, title: "does not give the session to another user" },
  },
  {
    name: "a browser sends the user in a part of the data",
    file: "src/session/jwt-callback.ts",
    replace: " || isSubjectSent,",
    with: ",",
    test: {
      file: "packages/core/test/invariants/session-update.test.ts",
      title: "whatever part of the data a callback merges, the session keeps its user",
    },
  },
  {
    name: "the claims change after the check",
    file: "src/session/jwt-callback.ts",
    replace: "const claims: JWT = { ...returned }",
    with: "const claims = returned as JWT",
    test: { file: callbacks, title: "does not give the session to another user" },
  },
  {
    name: "a session in the database has the user of another row",
    file: "src/session/database-sessions.ts",
    replace: " || !belongTogether(found)",
    with: " || !(belongTogether(found) || true)",
    test: { file: callbacks, title: "a row that the database joins with another user is no session" },
  },
  {
    name: "without transactions a sign-up gets an account of the owner of the email",
    file: "src/signin/enroll.ts",
    replace: "if (isNewUser) isTaken = await isTakenOver(enrollment, user)",
    with: "if (isNewUser) await isTakenOver(enrollment, user)",
    test: {
      file: "packages/core/test/attacks/withdrawn.test.ts",
      title: "a sign-up that the owner of the email overtakes gets no account",
    },
  },
  {
    name: "integers of a provider are rounded",
    file: "src/primitives/exact-json.ts",
    replace: "/^-?\\d{16,}$/.test(found) && !Number.isSafeInteger(Number(found))",
    with: 'found === "rounded"',
    test: {
      file: "packages/core/test/attacks/numeric-ids.test.ts",
      title: "two users whose numeric ids are rounded to the same number have two accounts",
    },
  },
  {
    name: "an id that the application rounded names an account",
    file: "src/features/oauth/profile.ts",
    replace: "if (rounded !== undefined) throw roundedId(providerId, rounded)",
    with: "if (rounded === providerId) throw roundedId(providerId, rounded)",
    test: {
      file: "packages/core/test/attacks/numeric-ids.test.ts",
      title: "an id that code of the application rounded is refused, and the log names its field",
    },
  },
  {
    name: "an email that a mailer reads as two is sent a link",
    file: "src/http/email-address.ts",
    replace: "return fits && isOneAddress(email) && ",
    with: "return fits && ",
    test: {
      file: "packages/core/test/attacks/email-address.test.ts",
      title: "a quoted local part is refused before the adapter and the mailer are called",
    },
  },
  {
    name: "a provider puts a header or a second address into the email of a user",
    file: "src/http/email-address.ts",
    replace: "if (misleading.test(asciiEmails ? given.trim() : given)) return undefined",
    with: "",
    test: { file: "packages/core/test/flows/unusual-emails.test.ts", title: "an email with %s: %j, %s" },
  },
  {
    name: "the user of a look-alike email is found",
    file: "src/http/email-address.ts",
    replace: '.normalize("NFC").toLowerCase()',
    with: '.normalize("NFKC").toLowerCase()',
    test: {
      file: "packages/core/src/http/email-address.test.ts",
      title: "a stored email that has %s is the same mailbox or not: %#",
    },
  },
]
