import { vault } from "@latchkey/core/tokens"
import { defineModule } from "@latchkey/core/module"
import { givePin, pin } from "../modules/factor-site.js"
import { type MemoryAdapter, memoryAdapter } from "@latchkey/adapter-kit/memory"
import type { Adapter } from "@latchkey/core/adapters"
import { createServer } from "@latchkey/core/server"
import { type Browser, createAuthenticator, visit } from "@latchkey/testing"
import fc from "fast-check"
import { expect, test } from "vitest"
import { features } from "../../src/engine/features.js"
import { credentialKindsOf } from "../../src/revoke/kinds.js"
import { linkIn, type Site, site } from "../account/setup.js"
import { hasSession } from "../flows/signin/setup.js"
import { holds, patience } from "../fuzz/holds.js"
import { answer, issue, send } from "../methods/webauthn/setup.js"
import { putCookie } from "../version4/setup.js"

type Person = "ada" | "grace"

interface World extends Site<Adapter> {
  readonly store: MemoryAdapter
  /** Keys that a module has issued. */
  readonly keys: Map<string, string>
  /** Opens a browser and signs in, so that the account may be changed. */
  signedIn(as: Person): Promise<Browser>
  idOf(as: Person): string
}

type Strategy = "jwt" | "database"

async function world(strategy: Strategy): Promise<World> {
  const store = memoryAdapter()
  // Without it, a cookie of its own says when the user signed in.
  const { describeSession: _, ...adapter } = store
  const keys = new Map<string, string>()
  const its = await site<Adapter>(adapter, {
    session: { strategy },
    security: { revocableSessions: true },
    rateLimit: false,
    tokens: vault,
    modules: [
      pin(),
      defineModule({
        id: "api-keys",
        load: async () => ({
          revoke(_, { id }) {
            for (const [key, owner] of keys) if (owner === id) keys.delete(key)
          },
        }),
      }),
    ],
  })
  return {
    ...its,
    store,
    keys,
    async signedIn(as) {
      const browser = await its.phone()
      await browser.signInWith(its.first, { as, fields: { callbackUrl: "https://app.test/auth/account" } })
      return browser
    },
    idOf: (as) => store.rows().users.find(({ name }) => name?.toLowerCase().startsWith(as))?.id ?? "",
  }
}

/** Whether a credential works. It's tried once. */
type Try = () => Promise<boolean>

/** Obtains a credential of one kind, and returns how to use it. In the order in which they're tried. */
const cases: Readonly<Record<string, (its: World, as: Person) => Promise<Try>>> = {
  // A sign-in brings new tokens, so these are tried before one that signs in again.
  async "provider-tokens"({ config, idOf, signedIn }, as) {
    await signedIn(as)
    const userId = idOf(as)
    return async () => (await createServer(config).token("op", { userId })).problem === undefined
  },
  async "stored-sessions"({ signedIn }, as) {
    const browser = await signedIn(as)
    return async () => (await browser.session()) !== null
  },
  async "pending-sign-ins"({ idOf, first, phone, signedIn, store }, as) {
    await signedIn(as)
    await givePin(store, idOf(as))
    const browser = await phone()
    await browser.signInWith(first, { as })
    await store.records.remove("pin.pin", idOf(as))
    return async () => {
      await givePin(store, idOf(as))
      await browser.submitForm("auth/factor", { pin: "1234" })
      await store.records.remove("pin.pin", idOf(as))
      return (await browser.session()) !== null
    }
  },
  async "sealed-sessions"({ clock, config, first, phone }, as) {
    const before = await visit({ ...config, security: { revocableSessions: false } }, { clock })
    await before.signInWith(first, { as })
    const browser = await phone()
    for (const { name, value } of before.cookies.filter((cookie) => cookie.name.includes("session-token")))
      putCookie(browser, name, value)
    return async () => (await browser.session()) !== null
  },
  async "account-link"({ idOf, second, signedIn, store }, as) {
    const browser = await signedIn(as)
    await browser.post("/auth/signin/second", { csrfToken: (await browser.csrf()) ?? "", link: "true" })
    const response = await second.authorize(browser.location, { as })
    return async () => {
      await browser.follow(response, second.issuer)
      return store.rows().accounts.some(({ provider, userId }) => provider === "second" && userId === idOf(as))
    }
  },
  async "passkey-registration"({ idOf, signedIn, store }, as) {
    const browser = await signedIn(as)
    const issued = await issue(browser, { action: "register" })
    return async () => {
      await send(browser, "register", await answer(createAuthenticator(), issued))
      return store.rows().authenticators.some(({ userId }) => userId === idOf(as))
    }
  },
  async "api-keys"({ idOf, keys, signedIn }, as) {
    await signedIn(as)
    const key = `key of ${as}`
    keys.set(key, idOf(as))
    return async () => keys.has(key)
  },
  async "email-links"({ mail, phone, signedIn }, as) {
    await signedIn(as)
    const browser = await phone()
    await browser.signIn("email", { email: `${as}@example.test` })
    const link = mail.link()
    return async () => {
      await browser.get(link)
      return hasSession(browser)
    }
  },
  async "email-change"({ account, accountMail, signedIn }, as) {
    await account(await signedIn(as)).changeEmail(`${as}@new.test`)
    const link = linkIn(accountMail)
    return async () => succeeds(account(await signedIn(as)).confirmEmail(link), "Verification")
  },
  async "recent-sign-in"({ account, signedIn }, as) {
    const browser = await signedIn(as)
    return () => succeeds(account(browser).changeEmail(`${as}@recent.test`), "SessionRequired")
  },
}

async function succeeds(work: Promise<unknown>, type: string): Promise<boolean> {
  try {
    await work
    return true
  } catch (cause) {
    expect(cause).toMatchObject({ type })
    return false
  }
}

const moduleKinds = ["api-keys"]

test("every registered kind of credential has a case", () => {
  const registered = [...credentialKindsOf({ features }).map(({ name }) => name), ...moduleKinds]
  expect(Object.keys(cases).toSorted()).toEqual(registered.toSorted())
})

/** Only a site with sessions in cookies has some from before they were revocable. */
const notIn: Readonly<Record<Strategy, string>> = { jwt: "", database: "sealed-sessions" }

const chosen = fc.uniqueArray(fc.constantFrom(...Object.keys(cases)), { minLength: 1 })
const strategies = fc.constantFrom<Strategy>("jwt", "database")

test(
  "after `revoke`, no credential of the user works, and every one of another user does",
  async () => {
    const revokes = fc.asyncProperty(strategies, fc.record({ ada: chosen, grace: chosen }), async (strategy, kinds) => {
      const its = await world(strategy)
      const obtain = async (as: Person) => {
        const tries = new Map<string, Try>()
        for (const kind of kinds[as].filter((name) => name !== notIn[strategy])) {
          const attempt = await cases[kind]?.(its, as)
          if (attempt !== undefined) tries.set(kind, attempt)
        }
        return tries
      }
      const [adas, graces] = [await obtain("ada"), await obtain("grace")]
      await createServer(its.config).revoke(its.idOf("ada"), "stolen laptop")
      for (const kind of Object.keys(cases)) {
        expect([kind, await adas.get(kind)?.()]).toEqual([kind, adas.has(kind) ? false : undefined])
        expect([kind, await graces.get(kind)?.()]).toEqual([kind, graces.has(kind) ? true : undefined])
      }
    })
    await holds(revokes, 0.01)
  },
  patience,
)
