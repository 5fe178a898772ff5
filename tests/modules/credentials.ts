import type { Browser } from "@latchkey/testing"
import { codesOn, phone as authenticator } from "../../packages/mfa/test/phone.js"
import type { Site } from "./site.js"

/** What was issued to a user. */
export interface Issued {
  readonly userId: string
  /** Uses it once. */
  works(): Promise<boolean>
  /** Texts that only the user may have. */
  readonly secrets: readonly string[]
}

type Issue = (site: Site, as: string) => Promise<Issued>

const isSignedIn = async (browser: Browser) => (await browser.session()) !== null

/** A verifier of PKCE, and its challenge. */
const verifier = "a-verifier-of-43-characters-that-no-one-knows"
const challenge = async () =>
  Buffer.from(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier))).toString("base64url")

const numbers: Readonly<Record<string, string>> = { ada: "+447700900123", grace: "+447700900456" }

/** Issues one of each kind, by the part that it is of: a module's id, or core's. Those that need a sign-in by the provider alone come first. */
export const kinds: Readonly<Record<string, Issue>> = {
  async anonymous({ open, store }) {
    const browser = await open()
    const before = new Set(store.rows().users.map(({ id }) => id))
    await browser.signIn("anonymous", {})
    const guest = store.rows().users.find(({ id }) => !before.has(id))
    return { userId: guest?.id ?? "", works: async () => isSignedIn(browser), secrets: cookiesOf(browser) }
  },
  async session({ idOf, signIn }, as) {
    const browser = await signIn(as)
    return { userId: idOf(as), works: async () => isSignedIn(browser), secrets: cookiesOf(browser) }
  },
  async "email-link"({ idOf, links, open, signIn }, as) {
    await signIn(as)
    const browser = await open()
    await browser.signIn("email", { email: `${as}@users.test` })
    const url = links.at(-1)?.url ?? ""
    return {
      userId: idOf(as),
      works: async () => (await browser.get(url), isSignedIn(browser)),
      secrets: [new URL(url).searchParams.get("token") ?? url],
    }
  },
  async vault({ idOf, server, signIn }, as) {
    await signIn(as)
    const found = await server.token("op", { userId: idOf(as) })
    return {
      userId: idOf(as),
      works: async () => (await server.token("op", { userId: idOf(as) })).problem === undefined,
      secrets: found.problem === undefined ? [found.accessToken] : [],
    }
  },
  async "api-keys"({ idOf, server, signIn }, as) {
    const browser = await signIn(as)
    await browser.get("/auth/account")
    await browser.submitForm("api-keys/create", { keyName: "CI", days: "90", "scope:read": "yes" })
    const [, key = ""] = /<li>(acme_\w+)<\/li>/.exec(browser.text) ?? []
    const request = new Request("https://app.test/", { headers: { authorization: `Bearer ${key}` } })
    const verify = server.members["api-keys"]?.["verify"]
    return {
      userId: idOf(as),
      works: async () => Reflect.get(Object(await verify?.(request)), "ok") === true,
      secrets: [key],
    }
  },
  async bearer({ idOf, server, signIn }, as) {
    const browser = await signIn(as)
    const redirect = "app.test:/cb"
    const query = { client_id: "app", redirect_uri: redirect, response_type: "code", code_challenge_method: "S256" }
    const url = new URLSearchParams({ ...query, code_challenge: await challenge(), scope: "offline_access" })
    await browser.get(`/auth/bearer/authorize?${url}`)
    await browser.submitForm("bearer/authorize")
    const code = new URL(browser.location).searchParams.get("code") ?? ""
    const send = async (fields: Readonly<Record<string, string>>) => {
      const body = new URLSearchParams({ client_id: "app", ...fields })
      const response = await server.handle(new Request("https://app.test/auth/bearer/token", { method: "POST", body }))
      return (await response.json()) as { readonly access_token?: string; readonly refresh_token?: string }
    }
    const grant = { grant_type: "authorization_code", code_verifier: verifier, redirect_uri: redirect }
    const { access_token: token = "", refresh_token: refresh = "" } = await send({ ...grant, code })
    const headers = new Headers({ authorization: `Bearer ${token}` })
    return {
      userId: idOf(as),
      async works() {
        const { session } = await server.session({ headers, origin: "https://app.test" })
        const { refresh_token } = await send({ grant_type: "refresh_token", refresh_token: refresh })
        return session !== null || refresh_token !== undefined
      },
      secrets: [code, token, refresh],
    }
  },
  async phone({ idOf, messages, open, signIn }, as) {
    const browser = await signIn(as)
    await browser.get("/auth/account")
    await browser.submitForm("phone/add", { phone: numbers[as] ?? "" })
    await browser.submitForm("callback/phone", { code: messages.at(-1)?.code ?? "" })
    const other = await open()
    await other.get("/auth/phone")
    await other.submitForm("callback/phone", { phone: numbers[as] ?? "" })
    const code = messages.at(-1)?.code ?? ""
    return {
      userId: idOf(as),
      async works() {
        await other.submitForm("callback/phone", { code })
        return isSignedIn(other)
      },
      secrets: [],
    }
  },
  async password({ idOf, letters, open, server, signIn }, as) {
    const browser = await signIn(as)
    await browser.get("/auth/account")
    await browser.submitForm("password/set")
    const url = letters.findLast(({ letter }) => letter?.link !== undefined)?.letter?.link?.url ?? ""
    const other = await open()
    return {
      userId: idOf(as),
      async works() {
        await other.get(url)
        await other.submitForm("callback/password", { newPassword: "tuba gravel oyster 4711" }).catch(() => undefined)
        return (await server.members["password"]?.["has"]?.(idOf(as))) === true
      },
      secrets: [],
    }
  },
  async mfa({ clock, idOf, signIn }, as) {
    const [browser, app] = [await signIn(as), authenticator()]
    await browser.get("/auth/account")
    await browser.submitForm("mfa/enroll")
    app.scan(browser)
    await browser.submitForm("mfa/confirm", { code: app.code(clock.now()) })
    const recovery = codesOn(browser)
    const device = await signIn(as)
    await device.submitForm("auth/factor", { code: app.code(clock.now()), trust: "yes" })
    await device.signOut()
    return {
      userId: idOf(as),
      works: async () => isSignedIn(await signIn(as, device)),
      secrets: [app.key, ...recovery, ...cookiesOf(device)],
    }
  },
}

/** The values of cookies that belong to a user. */
function cookiesOf({ cookies }: Browser): readonly string[] {
  return cookies.filter(({ name }) => /session-token|mfa/.test(name)).map(({ value }) => value)
}
