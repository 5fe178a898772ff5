import type { Hole } from "./hole.js"

const ended = {
  file: "packages/core/test/invariants/revoked-sessions.test.ts",
  title: "a session that ended is none in any copy, process and reader, whenever its copies were made",
}
const former = "packages/core/test/attacks/session-former.test.ts"
const unchecked = "packages/core/test/attacks/session-unchecked.test.ts"
const cutOff = {
  file: "packages/core/test/invariants/cut-off.test.ts",
  title: "a session survives `notBefore` only if it's known to have begun later",
}

/** Revoked sessions end everywhere. */
export const holes: readonly Hole[] = [
  {
    name: "a cookie from before the switch needs no row",
    file: "src/session/stored-sessions.ts",
    replace: "if (sid === undefined) return adoptFormer(environment, live)",
    with: "if (sid === undefined) return { ...live, outdated: true }",
    breaks: "session-ended",
    test: ended,
  },
  {
    name: "a cookie from before the switch gets a row again and again",
    file: "src/session/adoption.ts",
    replace:
      'if (!(await addRecords(environment, records))) return (await appears(environment, sid)) ? "adopted" : "ended"',
    with: "await addRecords(environment, records)",
    test: ended,
  },
  {
    name: "an earlier renewal of a session from before the switch outlives its sign-out",
    file: "src/session/adoption.ts",
    replace: 'if (sealedAt(sid) < (await cutOffs.get(userId))) return "ended"',
    with: "await cutOffs.get(userId)",
    test: { file: former, title: "a sign-out also ends earlier renewals of a session from before the switch" },
  },
  {
    name: "a slow first read restores a session that a sign-out ended",
    file: "src/session/adoption.ts",
    replace: 'if (!late) return "adopted"',
    with: 'if (late !== undefined) return "adopted"',
    test: { file: former, title: "a first read that sign-out in another process overtakes restores no session" },
  },
  {
    name: "the first proof of a mailbox keeps sessions from before the switch",
    file: "src/signin/mailbox-steps.ts",
    replace: "await auth.https.sessions.endAll(user.id)",
    with: "",
    test: { file: former, title: "a first proof of a mailbox ends sessions from before the switch" },
  },
  {
    name: "the row of another user confirms a session",
    file: "src/session/stored-sessions.ts",
    replace: "if (row === undefined || (live.userId !== undefined && row.userId !== live.userId)) return null",
    with: "if (row === undefined) return null",
    test: { file: former, title: "a row of another user doesn't confirm a session" },
  },
  {
    name: "without the adapter a revoked session is accepted until it expires",
    file: "src/session/stored-sessions.ts",
    replace: "if (isStale(claims, lifetime.maxStaleness, runtime.now())) throw new UncheckedSession(stale)",
    with: "if (isStale(claims, undefined, runtime.now())) throw new UncheckedSession(stale)",
    breaks: "session-ended",
    test: ended,
  },
  {
    name: "without the adapter a revoked session is extended",
    file: "src/session/stored-sessions.ts",
    replace: "return { ...live, isFixed: true }",
    with: "return live",
    test: { file: unchecked, title: "without the adapter a revocable session is never extended, and the log says so" },
  },
  {
    name: "without the adapter a session from before the switch is accepted",
    file: "src/session/stored-sessions.ts",
    replace: "if (!isFormer) return live",
    with: "if (!isFormer || isReader) return live",
    test: { file: unchecked, title: "without the adapter a session from before the switch is none" },
  },
  {
    name: "a sign-out without the adapter says nothing",
    file: "src/session/stored-sessions.ts",
    replace: "if (given === undefined || !isRevocable(claims, given.isDeclared)) return",
    with: "if (given === undefined || !isRevocable(claims, given.isDeclared) || given.isReader === false) return",
    test: { file: unchecked, title: "a sign-out without the adapter says that the session is still active" },
  },
  {
    name: "a session in a token outlives notBefore",
    file: "src/session/jwt-sessions.ts",
    replace: "if (endedByCutOff(lifetime, beginningOf(opened.claims), runtime.now())) return null",
    with: "beginningOf(opened.claims)",
    also: [
      {
        file: "src/session/jwt-sessions.ts",
        replace: "assumedSignInTime, endedByCutOff, idText",
        with: "assumedSignInTime, idText",
      },
    ],
    test: cutOff,
  },
  {
    name: "a session in the database outlives notBefore",
    file: "src/session/database-sessions.ts",
    replace: "if (endedByCutOff(lifetime, { authenticatedAt, isAssumed: isAssumed(token) }, now)) return true",
    with: "if (endedByCutOff(lifetime, { authenticatedAt, isAssumed: isAssumed(token) }, now)) return false",
    test: cutOff,
  },
  {
    name: "an assumed sign-in time passes notBefore",
    file: "src/session/live-session.ts",
    replace: "return isAssumed || authenticatedAt === undefined",
    with: "return (isAssumed && now < 0) || authenticatedAt === undefined",
    test: cutOff,
  },
  {
    name: "a sign-out leaves the session that was replaced a moment ago",
    file: "src/session/database-sessions.ts",
    replace: "if (predecessor !== undefined) await",
    with: 'if (predecessor === "") await',
    test: {
      file: "packages/core/test/modes/stored-tokens.test.ts",
      title: "sign-out a moment after the change also ends the session from before",
    },
  },
  {
    name: "a sign-out leaves the session that replaced another a moment ago",
    file: "src/session/database-sessions.ts",
    replace: 'if (successor?.kind === "issue") await',
    with: 'if (successor?.kind === "end") await void',
    test: {
      file: "packages/core/test/modes/stored-tokens.test.ts",
      title: "sign-out with the cookie from before also ends the session that replaced it",
    },
  },
]
