import {
  type AuthArgs,
  CredentialsSignin,
  type Destination,
  ReactRouterAuth,
  type RouteArgs,
} from "@latchkey/react-router"
import { RouterContextProvider } from "react-router"
import { describe, expect, test } from "vitest"
import { expectAccount, twoSessions } from "../../../tests/two-sessions.js"
import { handlerOf, open } from "./application.js"
import { auth } from "./auth.js"

const page = () => null

const signIn = {
  async action(args: RouteArgs) {
    const form = await args.request.formData()
    return auth.signIn(args, "credentials", { ...Object.fromEntries(form), redirectTo: "/account" })
  },
  default: page,
}

const account = {
  loader: async (args: AuthArgs) => (await auth.requireSession(args)).user?.name,
  async action(args: RouteArgs) {
    await auth.requireSession(args)
    const form = await args.request.formData()
    const session = await auth.update(args, { user: { name: String(form.get("name")) } })
    return { updated: session?.user?.name, context: args.context.get(auth.sessionContext)?.user?.name }
  },
  default: page,
}

const home = {
  loader: async (args: AuthArgs) => (await auth.getSession(args))?.user?.name ?? null,
  action: (args: AuthArgs) => auth.signOut(args, { redirectTo: "/" }),
  default: page,
}

const team = { middleware: [auth.protect], loader: () => "secret", default: page }

const api = {
  async loader({ context }: AuthArgs) {
    const session = await auth.requireSession({ context })
    return Response.json({ name: session.user?.name, same: session === context.get(auth.sessionContext) })
  },
}

const token = { loader: async (args: AuthArgs) => new Response(await auth.csrfToken(args)) }

const typed = { name: "ada", password: "open sesame" }
const script = { headers: { accept: "*/*", "sec-fetch-mode": "cors", "sec-fetch-dest": "empty" } }

describe.for(["7", "8"] as const)("React Router %s", (major) => {
  const application = () =>
    open(major, { "": home, account, "sign-in": signIn, "api/account": api, "team/settings": team, late, token })

  async function signedIn() {
    const browser = application()
    await browser.post("/sign-in", typed)
    return browser
  }

  test("loaders read and actions change the account of the user", async () => {
    const own = ReactRouterAuth(await twoSessions())
    const sessions = {
      loader: async (args: AuthArgs) => new Response(String((await own.account(args).sessions()).length)),
    }
    const others = {
      action: async (args: AuthArgs) => new Response(String(await own.account(args).revokeOtherSessions())),
    }
    await expectAccount("https://app.test", handlerOf(major, { sessions, others }, own))
  })

  test("a form with the token of csrfToken posts to the auth routes", async () => {
    const browser = application()
    await browser.get("/token")
    await browser.post("/auth/callback/credentials", { ...typed, csrfToken: browser.text })
    expect(await browser.session()).toMatchObject({ user: { name: "ada" } })
  })

  test("a form signs in, changes the session and signs out", async () => {
    const browser = await signedIn()
    expect(browser.location).toBe("https://app.test/account")
    expect(JSON.parse(browser.text)).toMatchObject({ account: "ada" })
    await browser.post("/account", { name: "Countess" })
    // The loader of the same request has the new session too.
    expect(JSON.parse(browser.text)).toMatchObject({ account: { updated: "Countess", context: "Countess" } })
    await browser.get("/")
    expect(JSON.parse(browser.text)).toMatchObject({ home: "Countess" })
    await browser.post("/?index")
    expect(JSON.parse(browser.text)).toMatchObject({ home: null })
    expect(await browser.session()).toBeNull()
  })

  test("the routes sign in and out", async () => {
    const browser = application()
    await browser.signIn("credentials", typed)
    expect(await browser.session()).toMatchObject({ user: { name: "ada" } })
    await browser.signOut()
    expect(await browser.session()).toBeNull()
  })

  test("a page without a session leads to the sign-in page, with the way back", async () => {
    const browser = application()
    await browser.get("/account?tab=1")
    expect(browser.location).toBe("https://app.test/auth/signin?callbackUrl=%2Faccount%3Ftab%3D1")
  })

  test("so does its form", async () => {
    const browser = application()
    await browser.post("/account", { name: "Mallory" })
    expect(browser.location).toBe("https://app.test/auth/signin?callbackUrl=%2Faccount")
  })

  test("so does data for the browser's router, and the sign-in page loads as a document", async () => {
    const browser = application()
    const response = await browser.fetch("/account.data?tab=1&_routes=account", script)
    expect(response.status).toBe(202)
    expect(response.headers.get("cache-control")).toBe("private, no-store")
    const answer = await response.text()
    // React Router would put `basename` in front of a path.
    expect(answer).toContain('"https://app.test/auth/signin?callbackUrl=%2Faccount%3Ftab%3D1"')
    const page = await browser.fetch("/auth/signin.data?callbackUrl=%2Faccount", script)
    expect(page.status).toBe(202)
    expect(await page.text()).toContain('"/auth/signin?callbackUrl=%2Faccount"')
    expect(page.headers.get("x-remix-reload-document")).toBe("true")
  })

  test("a layout protects its pages", async () => {
    const open = application()
    await open.get("/team/settings")
    expect(open.location).toBe("https://app.test/auth/signin?callbackUrl=%2Fteam%2Fsettings")
    const browser = await signedIn()
    await browser.get("/team/settings")
    expect(JSON.parse(browser.text)).toMatchObject({ "team/settings": "secret" })
  })

  test("an API route responds with 401", async () => {
    const response = await application().fetch("/api/account", script)
    expect(response.status).toBe(401)
    expect(response.headers.get("location")).toBeNull()
    expect(response.headers.get("content-type")).toContain("application/json")
  })

  test("loaders share one read, and one cookie renews the session", async () => {
    const browser = await signedIn()
    const response = await browser.fetch("/api/account", script)
    expect(await response.json()).toEqual({ name: "ada", same: true })
    expect(response.headers.getSetCookie().filter((line) => line.includes("session-token="))).toHaveLength(1)
    expect(response.headers.get("cache-control")).toBe("private, no-store")
  })

  test("data for the browser's router sets cookies too", async () => {
    const browser = application()
    const response = await browser.fetch("/sign-in.data", {
      ...script,
      method: "POST",
      body: new URLSearchParams(typed),
    })
    expect(response.status).toBe(202)
    expect(await response.text()).toContain("https://app.test/account")
    expect(await browser.session()).toMatchObject({ user: { name: "ada" } })
  })

  test("a wrong password leads to the page that explains it, and the way back is kept", async () => {
    const browser = application()
    await browser.post("/sign-in", { ...typed, password: "wrong" })
    const page = new URL(browser.location)
    expect(page.pathname).toBe("/auth/signin")
    expect(page.searchParams.get("error")).toBe("CredentialsSignin")
    await browser.submitForm("credentials", typed)
    expect(browser.location).toBe("https://app.test/account")
  })

  test("with `redirect: false`, the action gets the error of a refused sign-in", async () => {
    let destination: Destination | undefined
    const own = {
      async action(args: RouteArgs) {
        destination = await auth.signIn(args, "credentials", { ...typed, password: "wrong", redirect: false })
        return null
      },
      default: page,
    }
    await open(major, { own }).post("/own")
    expect(destination?.error).toBeInstanceOf(CredentialsSignin)
  })

  test.for(["", ".data"])("a form of another site doesn't sign in (%s)", async (suffix) => {
    const browser = application()
    await browser.post(`/sign-in${suffix}`, typed, { from: "https://evil.test" })
    expect(await browser.session()).toBeNull()
  })

  test("a form of another site without an Origin doesn't sign in", async () => {
    const browser = application()
    await browser.post("/sign-in", typed, { from: "https://evil.test", headers: { origin: "" } })
    expect(await browser.session()).toBeNull()
  })

  test("a page can't outvote the cache rules of a response with a cookie", async () => {
    const browser = await signedIn()
    await browser.get("/late")
    expect(browser.response.headers.getSetCookie()).not.toEqual([])
    expect(browser.response.headers.get("cache-control")).toBe("private, no-store")
  })

  test("once the page streams, the session can't change", async () => {
    const browser = await signedIn()
    await browser.get("/late")
    await expect(promise).rejects.toThrow("headers of the response have been sent")
  })

  test("without the middleware, the error says what to add", async () => {
    const context = new RouterContextProvider()
    await expect(auth.session({ context })).rejects.toThrow("app/root.tsx")
  })
})

let promise: Promise<unknown> | undefined

/** A page that caches should keep, and whose loader changes the session after the page has started. */
const late = {
  headers: () => ({ "cache-control": "public, max-age=3600" }),
  loader(args: AuthArgs) {
    promise = new Promise((resolve) => setImmediate(resolve)).then(() => auth.signOut(args))
    promise.catch(() => {})
    return null
  },
  default: page,
}

test("an option that it doesn't know is refused", () => {
  const options = { clientAdress: () => "192.0.2.1" }
  expect(() => ReactRouterAuth({ providers: [] }, options as never)).toThrow("Did you mean `clientAddress`?")
})

test("the server ends every session of a user without a request", async () => {
  const options = await twoSessions()
  await ReactRouterAuth(options).revoke("1", "stolen laptop")
  expect(options.adapter.rows().sessions).toEqual([])
})
