import { decode, encode, getToken } from "@latchkey/core/jwt"
import { describe, expect, test } from "vitest"
import { appOf, compatible, hardened, redeployed, sessionCookie, strongSecret, whoIs, world } from "./setup.js"

const salt = "authjs.session-token"
// Fixed cookie names: strict would rename the cookies, and only the keys are to change here.
const cookies = { sessionToken: { name: salt }, state: { name: "attempt" } }
const session = { strategy: "jwt" } as const

/** The token header of Auth.js: tokens of one key have the same `kid`. */
async function sharedHeader(): Promise<string> {
  return (await encode({ token: { sub: "1" }, secret: strongSecret, salt })).split(".")[0] ?? ""
}

const headerOf = (token: string) => token.split(".")[0]

test.each(compatible("keyPerPurpose", false))(
  "under %s the key is the one that Auth.js derives",
  async (_, security) => {
    const its = world()
    const browser = await appOf(its, { security, session, cookies })
    await browser.signInWith(its.op, { as: "ada" })
    expect(headerOf(sessionCookie(browser))).toBe(await sharedHeader())
  },
)

describe.each(hardened("keyPerPurpose", true))("under %s", (_, security) => {
  test("the key differs from the one of Auth.js", async () => {
    const its = world()
    const browser = await appOf(its, { security, session, cookies })
    await browser.signInWith(its.op, { as: "ada" })
    expect(headerOf(sessionCookie(browser))).not.toBe(await sharedHeader())
    expect(await whoIs(browser)).toBe("ada@example.test")
  })

  test("a session encrypted with the Auth.js key is read and re-encrypted at once", async () => {
    const its = world()
    const before = await appOf(its, { session, cookies })
    await before.signInWith(its.op, { as: "ada" })
    const after = await redeployed(before, its, { security, session, cookies })
    expect(await whoIs(after)).toBe("ada@example.test")
    expect(headerOf(sessionCookie(after))).not.toBe(await sharedHeader())
    const renewed = sessionCookie(after)
    await after.session()
    expect(sessionCookie(after)).toBe(renewed)
  })

  test("a form with a CSRF token from before the change is accepted", async () => {
    const its = world()
    const before = await appOf(its, { session, cookies })
    const csrfToken = (await before.csrf()) ?? ""
    const after = await redeployed(before, its, { security, session, cookies })
    await after.post("/auth/signin/op", { csrfToken })
    expect(new URL(after.location).origin).toBe("https://op.test")
  })

  test("a sign-in started before the change can be finished after it", async () => {
    const its = world()
    const before = await appOf(its, { session, cookies })
    await before.signIn("op")
    const answer = await its.op.authorize(before.location, { as: "ada" })
    const after = await redeployed(before, its, { security, session, cookies })
    await after.follow(answer, its.op.issuer)
    expect(await whoIs(after)).toBe("ada@example.test")
  })

  test("`decode` and `getToken` read the session", async () => {
    const its = world()
    its.clock.set(Date.now())
    const browser = await appOf(its, { security, session, cookies })
    await browser.signInWith(its.op, { as: "ada" })
    const token = sessionCookie(browser)
    const claims = { email: "ada@example.test" }
    expect(await decode({ token, secret: strongSecret, salt })).toMatchObject(claims)
    const req = { headers: { cookie: `${salt}=${token}` } }
    expect(await getToken({ req, secret: strongSecret })).toMatchObject(claims)
  })

  test("secrets can be rotated", async () => {
    const its = world()
    const before = await appOf(its, { security, session, cookies })
    await before.signInWith(its.op, { as: "ada" })
    const former = headerOf(sessionCookie(before))
    const secret = [`${strongSecret.slice(0, -3)}new`, strongSecret]
    const after = await redeployed(before, its, { security, session, cookies, secret })
    expect(await whoIs(after)).toBe("ada@example.test")
    expect(headerOf(sessionCookie(after))).not.toBe(former)
  })
})
