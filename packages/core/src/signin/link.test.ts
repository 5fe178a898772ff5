import { describe, expect, test } from "vitest"
import type { AdapterUser } from "../model/adapter.js"
import { decideLink, decideMailbox } from "./link.js"

const a: AdapterUser = { id: "a", email: "a@example.test", emailVerified: null }
const b: AdapterUser = { id: "b", email: "b@example.test", emailVerified: null }

const elsewhere = { kind: "refuse", reason: "the account belongs to another user" }
const taken = { kind: "refuse", reason: "another user has the same email" }

describe("whose an account is from now on", () => {
  test.each([
    ["A's, nobody signed in: A resumes", a, null, null, false, { kind: "resume", user: a }],
    ["A's, A signed in: A resumes", a, a, null, false, { kind: "resume", user: a }],
    [
      "A's, A signed in from another row of the store: A resumes",
      a,
      { ...a },
      null,
      false,
      { kind: "resume", user: a },
    ],
    ["A's, B signed in: refused", a, b, null, false, elsewhere],
    ["A's, B signed in, B's address trusted: refused all the same", a, b, b, true, elsewhere],
    ["A's, nobody signed in, B's address trusted: A resumes", a, null, b, true, { kind: "resume", user: a }],
    ["nobody's, B signed in: linked to B", null, b, null, false, { kind: "link", user: b }],
    ["nobody's, B signed in, A's address trusted: linked to B", null, b, a, true, { kind: "link", user: b }],
    ["nobody's, nobody signed in, unknown address: created", null, null, null, false, { kind: "create" }],
    ["nobody's, nobody signed in, unknown address, trusting: created", null, null, null, true, { kind: "create" }],
    ["nobody's, nobody signed in, A's address trusted: linked to A", null, null, a, true, { kind: "link", user: a }],
    ["nobody's, nobody signed in, A's address not trusted: refused", null, null, a, false, taken],
  ])("%s", (_title, owner, current, sameEmail, trustsEmail, decision) => {
    expect(decideLink({ owner, current, sameEmail, trustsEmail })).toEqual(decision)
  })
})

test("a mailbox of nobody makes a user, one of a user is that user's", () => {
  expect(decideMailbox(null)).toEqual({ kind: "create" })
  expect(decideMailbox(a)).toEqual({ kind: "resume", user: a })
})
