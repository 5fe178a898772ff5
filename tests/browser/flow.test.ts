import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import credentials from "@latchkey/core/providers/credentials"
import Passkey from "@latchkey/core/providers/passkey"
import { createServer } from "@latchkey/core/server"
import { captureLog } from "@latchkey/testing"
import { fileURLToPath } from "node:url"
import type { Page } from "playwright-core"
import { rolldown } from "rolldown"
import { expect, test } from "vitest"
import { strongSecret } from "../../packages/core/test/modes/setup.js"
import { addAuthenticator } from "./authenticator.js"
import { inChromium } from "./chromium.js"
import { type Answer, document, serve } from "./web.js"

const ada = "ada@example.test"

/** A sign-in page of the application: one form per step, and a line for what came of it. */
const markup = `<form id="password"><input name="name" aria-label="Name"><input name="password" type="password" aria-label="Password"><button>Sign in</button></form>
<form id="email"><input name="email" aria-label="Email"><button>Send</button></form>
<form id="code"><input name="code" aria-label="Code"><button>Enter</button></form>
<button id="create">Create</button><button id="passkey">Passkey</button>
<p id="said"></p><p id="who"></p><script type="module" src="/page.js"></script>`

const script = `import { createAuthClient } from "./index.ts"
import { createFlow } from "./flow.ts"
const client = createAuthClient()
const flow = createFlow(client)
const element = (id) => document.getElementById(id)
client.subscribe(() => (element("who").textContent = client.getSnapshot().data?.user?.email ?? client.getSnapshot().status))
client.start()
const say = (step) => (element("said").textContent = step.status === "error" ? step.error.code + " " + (step.error.field ?? "") : step.status)
const onSubmit = (id, act) => element(id).addEventListener("submit", async (event) => {
  event.preventDefault()
  say(await act(new FormData(event.target)))
})
onSubmit("password", (form) => flow.password(form))
onSubmit("email", (form) => flow.email(form.get("email")))
onSubmit("code", (form) => flow.code(form.get("code")))
element("create").onclick = async () => say(await flow.createPasskey({ email: "grace@example.test" }))
element("passkey").onclick = async () => say(await flow.passkey())
globalThis.flow = flow
document.title = "ready"`

async function bundled(): Promise<string> {
  const folder = fileURLToPath(new URL("../../packages/client/src", import.meta.url))
  const entry = `${folder}/page-of-test.js`
  const plugin = {
    name: "entry",
    resolveId: (id: string) => (id === "entry" ? entry : undefined),
    load: (id: string) => (id === entry ? script : undefined),
  }
  const build = await rolldown({
    input: "entry",
    platform: "browser",
    tsconfig: false,
    logLevel: "silent",
    plugins: [plugin],
  })
  const { output } = await build.generate({ format: "esm" })
  await build.close()
  return output[0].code
}

async function openSite() {
  let answer: Answer = () => new Response(null, { status: 503 })
  const web = await serve((request) => answer(request), "localhost")
  const codes: string[] = []
  const auth = createServer({
    secret: strongSecret,
    url: `${web.origin}/auth`,
    adapter: memoryAdapter(),
    session: { strategy: "jwt" },
    experimental: { enableWebAuthn: true },
    security: { passkeySignUp: true },
    logger: captureLog().logger,
    pages: { signIn: "/login" },
    providers: [
      credentials({
        credentials: { name: {}, password: { type: "password" } },
        authorize: ({ name, password }) =>
          password === "open sesame" ? { id: String(name), email: `${String(name)}@example.test` } : null,
      }),
      {
        id: "mail",
        name: "Mail",
        type: "email",
        sendVerificationRequest: ({ code = "" }) => void codes.push(code),
      },
      Passkey,
    ],
  })
  const code = await bundled()
  answer = async (request) => {
    const { pathname } = new URL(request.url)
    if (pathname.startsWith("/auth/")) return auth.handle(request)
    if (pathname === "/page.js") return new Response(code, { headers: { "content-type": "text/javascript" } })
    return document(markup)
  }
  return { origin: web.origin, codes }
}

async function openPage(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/login`)
  await page.waitForFunction(`document.title === "ready"`)
}

async function says(page: Page, text: string): Promise<void> {
  await page.locator("#said", { hasText: text }).waitFor()
}

async function isUser(page: Page, text: string): Promise<void> {
  await page.locator("#who", { hasText: text }).waitFor()
}

inChromium("a page of the application with the client", (visit) => {
  test("signs in with a password, after a refusal, and the other tab learns of it", async () => {
    const { origin } = await openSite()
    const { page, complaints } = await visit()
    await openPage(page, origin)
    const other = await page.context().newPage()
    await openPage(other, origin)
    await isUser(other, "unauthenticated")
    await page.getByLabel("Name").fill("ada")
    await page.getByLabel("Password").fill("guess")
    await page.getByRole("button", { name: "Sign in" }).click()
    await says(page, "CredentialsSignin")
    await page.getByLabel("Password").fill("open sesame")
    await page.getByRole("button", { name: "Sign in" }).click()
    await says(page, "signed-in")
    await isUser(page, ada)
    await isUser(other, ada)
    await page.evaluate("flow.signOut()")
    await isUser(other, "unauthenticated")
    // Chromium logs the status of the refusal.
    expect(complaints.filter((text) => !text.includes("401"))).toEqual([])
  })

  test("signs in with the code of an email, after a reload", async () => {
    const { origin, codes } = await openSite()
    const { page } = await visit()
    await openPage(page, origin)
    await page.getByLabel("Email").fill(ada)
    await page.getByRole("button", { name: "Send" }).click()
    await says(page, "email-sent")
    await openPage(page, origin)
    expect(await page.evaluate("flow.emailSent()")).toMatchObject({ status: "email-sent", email: ada })
    await page.getByLabel("Code").fill("not it")
    await page.getByRole("button", { name: "Enter" }).click()
    await says(page, "Verification code")
    await page.getByLabel("Code").fill(codes[0] ?? "")
    await page.getByRole("button", { name: "Enter" }).click()
    await isUser(page, ada)
  })

  test("creates a passkey and signs in with it", async () => {
    const { origin } = await openSite()
    const { page } = await visit()
    await addAuthenticator(page)
    await openPage(page, origin)
    await page.getByRole("button", { name: "Create" }).click()
    await isUser(page, "grace@example.test")
    await page.evaluate("flow.signOut()")
    await isUser(page, "unauthenticated")
    await page.getByRole("button", { name: "Passkey" }).click()
    await isUser(page, "grace@example.test")
  })
})
