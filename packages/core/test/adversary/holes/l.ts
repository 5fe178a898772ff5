import type { Hole } from "./hole.js"

const growth = "packages/core/test/account/growth.test.ts"

/** What one session leaves behind gives another nothing. */
export const holes: readonly Hole[] = [
  {
    name: "a thief of an old session who links an account of their own counts as signed in recently",
    file: "src/signin/resolve-identity.ts",
    replace: "continued: asked,",
    with: "continued: undefined,",
    test: {
      file: "packages/core/test/account/recent-sign-in.test.ts",
      title: "isn't a recent sign-in",
    },
  },
  {
    name: "a visitor deletes records with an email that equals their identifier",
    file: "src/signin/email-links.ts",
    replace:
      'if (mayNameRecord(normal)) throw new Error("An email contains no semicolon. Enter one like name@example.com")',
    with: "",
    test: {
      file: "packages/core/test/attacks/record-names.test.ts",
      title: "no text that a visitor can type is, for any database, the identifier of a record",
    },
  },
  {
    name: "a user whose email equals the identifier of records deletes them with the account",
    file: "src/signin/email-links.ts",
    replace: "if (email && !mayNameRecord(email)) await",
    with: "if (email) await",
    test: {
      file: "packages/core/test/attacks/record-names.test.ts",
      title: "a visitor can't type the identifier of a record, not even as another spelling",
    },
  },
  {
    name: "a session that an earlier release ended comes back after an update",
    file: "src/session/adoption.ts",
    replace:
      "for (const record of records) if (!(await addRecord(environment, environment.tokens, record))) return false",
    with: "if (!(await addRecord(environment, environment.tokens, records[0]))) return false",
    test: {
      file: "packages/core/test/attacks/session-former.test.ts",
      title: "alone keep a session from before the switch ended",
    },
  },
  {
    name: "an answer of a passkey works again after an update",
    file: "src/features/passkeys/used-challenges.ts",
    replace: "if (await isUsedByEarlierRelease(auth, adapter, challenge)) throw usedBefore()",
    with: "await isUsedByEarlierRelease(auth, adapter, challenge)",
    test: {
      file: "packages/core/test/attacks/webauthn-class-replay.test.ts",
      title: "an answer that an earlier release accepted isn't accepted again after the update",
    },
  },
  {
    name: "a change of the email that a thief requested can be confirmed after their session ended",
    file: "src/features/account/sessions.ts",
    replace: "await endEmailChange(adapter, userId)",
    with: "void [adapter, userId]",
    test: { file: "packages/core/test/account/pending.test.ts", title: "a change of the email" },
  },
  {
    name: "a copied link signs in after all sessions of the user were ended",
    file: "src/features/account/sessions.ts",
    replace: "await endLinksTo(adapter, user.email)",
    with: "void user",
    test: { file: "packages/core/test/account/pending.test.ts", title: "a link to sign in that the thief has read" },
  },
  {
    name: "a change of the email outlives the first proof of the present one",
    file: "src/features/account/email-change-link.ts",
    replace: "Boolean(user.emailVerified), email, expires.getTime()",
    with: "email, expires.getTime()",
    test: {
      file: "packages/core/test/account/pending.test.ts",
      title: "a change of the email ends with the first proof of the mailbox",
    },
  },
  {
    name: "a user has any number of sessions",
    file: "src/session/revocation.ts",
    replace: "latest.slice(maxSessions)",
    with: "latest.slice(maxSessions * 1000)",
    test: { file: growth, title: "a user who signs in again and again has about a hundred sessions" },
  },
  {
    name: "a user has any number of passkeys",
    file: "src/features/passkeys/options.ts",
    replace: "(registrant.exclude?.length ?? 0) >= maxPasskeys",
    with: "(registrant.exclude?.length ?? 0) >= maxPasskeys * 1000",
    test: { file: growth, title: "a user has a hundred passkeys at most" },
  },
  {
    name: "a user has any number of connected accounts",
    file: "src/features/oauth/account-steps.ts",
    replace: '.filter(({ type }) => type !== "webauthn").length >= maxAccounts',
    with: '.filter(({ type }) => type !== "webauthn").length >= maxAccounts * 1000',
    test: { file: growth, title: "a user has a hundred connected accounts at most" },
  },
  {
    name: "the account page lists any number of sessions",
    file: "src/features/account/sessions.ts",
    replace: ".slice(0, maxListed + 1)",
    with: ".slice(0, maxListed * 1000)",
    also: [
      {
        file: "src/account/requirements.ts",
        replace: "items.slice(0, maxListed)",
        with: "items.slice(0, maxListed * 1000)",
      },
    ],
    test: { file: growth, title: "the account page lists a hundred sessions, and ends all" },
  },
  {
    name: "the account page reads every session of a user",
    file: "src/features/account/sessions.ts",
    replace: "rowsOf(stored, maxListed + 1)",
    with: "rowsOf(stored)",
    test: { file: growth, title: "no page and no sign-in reads every session of a user who has thousands" },
  },
  {
    name: "a sign-in reads every session of a user",
    file: "src/session/revocation.ts",
    replace: "adapter.listSessions(userId, maxSessions + maxEnded)",
    with: "adapter.listSessions(userId)",
    test: { file: growth, title: "no page and no sign-in reads every session of a user who has thousands" },
  },
  {
    name: "a used email link asks to confirm the sign-in",
    file: "src/features/email/email.ts",
    replace: "await assertOpen(auth, provider, { identifier, token })",
    with: "void assertOpen",
    test: {
      file: "packages/core/test/flows/signin/email-ended-links.test.ts",
      title: "another process reads at once that a link was used",
    },
  },
  {
    name: "a target that only Express reads as a protected path opens it",
    file: "src/http/node-request.ts",
    replace: "export const absoluteForm: RegExp = /^https?:\\/\\/[\\w.:[\\]-]+(?=[/?]|$)/i",
    with: "export const absoluteForm: RegExp = /^[^/?]*:\\/\\/[^/?]*/",
    test: {
      file: "packages/express/test/guards.test.ts",
      title: "%s %s is refused, because Express doesn't resolve it",
    },
  },
  {
    name: "images on another site use up the attempts of their visitor",
    file: "src/engine/auth.ts",
    replace: "return isSubresource(headers) ? plainAnswer(403) : undefined",
    with: "return undefined",
    test: {
      file: "packages/core/test/attacks/lock-out.test.ts",
      title: "images on another site use up no attempts of the address of their visitor",
    },
  },
  {
    name: "an update replaces an id of a user by one of another kind",
    file: "src/session/received-update.ts",
    replace: "same.length > 0 ? same : [userId",
    with: "[...same, userId",
    test: {
      file: "packages/core/src/session/received-update.test.ts",
      title: "loses %s",
    },
  },
  {
    name: "two spellings of an email tell whether it has an account",
    file: "src/features/passkeys/options.ts",
    replace: "canonicalEmail(email) : JSON",
    with: "email : JSON",
    test: {
      file: "packages/core/test/attacks/webauthn-enumeration.test.ts",
      title: "two spellings of an email get the same list, known or not",
    },
  },
]
