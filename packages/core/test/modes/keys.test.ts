import { decode, encode, getToken } from "@latchkey/core/jwt"
import { describe, expect, test } from "vitest"
import { appOf, compatible, hardened, redeployed, sessionCookie, strongSecret, whoIs, world } from "./setup.js"

const salt = "authjs.session-token"
// Names of their own: strict renames cookies, and here only keys are to change.
const cookies = { sessionToken: { name: salt }, state: { name: "attempt" } }
const session = { strategy: "jwt" } as const

/** The derivation of Auth.js, as `kid` shows it: two tokens of one key have one header. */
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
  test("the key is one of our own", async () => {
    const its = world()
    const browser = await appOf(its, { security, session, cookies })
    await browser.signInWith(its.op, { as: "ada" })
    expect(headerOf(sessionCookie(browser))).not.toBe(await sharedHeader())
    expect(await whoIs(browser)).toBe("ada@example.test")
  })

  test("a session of the former key is read, and sealed anew at once", async () => {
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

  test("a form with the former CSRF token is still taken", async () => {
    const its = world()
    const before = await appOf(its, { session, cookies })
    const csrfToken = (await before.csrf()) ?? ""
    const after = await redeployed(before, its, { security, session, cookies })
    await after.post("/auth/signin/op", { csrfToken })
    expect(new URL(after.location).origin).toBe("https://op.test")
  })

  test("a sign-in that began before the change is finished after it", async () => {
    const its = world()
    const before = await appOf(its, { session, cookies })
    await before.signIn("op")
    const answer = await its.op.authorize(before.location, { as: "ada" })
    const after = await redeployed(before, its, { security, session, cookies })
    await after.follow(answer, its.op.issuer)
    expect(await whoIs(after)).toBe("ada@example.test")
  })

  test("`decode` and `getToken` open the session", async () => {
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

  test("one secret after another rotates here too", async () => {
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
