import { describe, expect, test } from "vitest"
import type { AdapterUser } from "../model/adapter.js"
import { decideLink } from "./link.js"

const a: AdapterUser = { id: "a", email: "a@example.test", emailVerified: null }
const b: AdapterUser = { id: "b", email: "b@example.test", emailVerified: null }

const elsewhere = { kind: "refuse", reason: "the account belongs to another user" }
const taken = { kind: "refuse", reason: "another user has the same email" }

describe("the user that an account belongs to", () => {
  test.each([
    ["A's, no user signed in: A resumes", a, null, null, false, { kind: "resume", user: a }],
    ["A's, A signed in: A resumes", a, a, null, false, { kind: "resume", user: a }],
    [
      "A's, A signed in, as another object of the same user: A resumes",
      a,
      { ...a },
      null,
      false,
      { kind: "resume", user: a },
    ],
    ["A's, B signed in: refused", a, b, null, false, elsewhere],
    ["A's, B signed in, B's email trusted: refused too", a, b, b, true, elsewhere],
    ["A's, no user signed in, B's email trusted: A resumes", a, null, b, true, { kind: "resume", user: a }],
    ["new, B signed in: linked to B", null, b, null, false, { kind: "link", user: b }],
    ["new, B signed in, A's email trusted: linked to B", null, b, a, true, { kind: "link", user: b }],
    ["new, no user signed in, unknown email: created", null, null, null, false, { kind: "create" }],
    ["new, no user signed in, unknown email, trusted: created", null, null, null, true, { kind: "create" }],
    ["new, no user signed in, A's email trusted: linked to A", null, null, a, true, { kind: "link", user: a }],
    ["new, no user signed in, A's email not trusted: refused", null, null, a, false, taken],
  ])("%s", (_title, owner, current, sameEmail, trustsEmail, decision) => {
    expect(decideLink({ owner, current, sameEmail, trustsEmail })).toEqual(decision)
  })
})
