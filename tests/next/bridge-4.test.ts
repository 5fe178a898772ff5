import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { inChromium } from "../browser/chromium.js"
import { secret } from "./application.js"
import { remove } from "../applications/install.js"
import { freePort, type Site } from "../applications/processes.js"
import { build, type Built, here } from "./build.js"
import { serve } from "./serve.js"

/** The application of swap-4 as it was written for next-auth 4, on version 4 and on the bridge. Only the alias differs. */
const variants = { before: "next-auth-4", bridge: "@latchkey/next-auth-4" } as const

type Variant = keyof typeof variants

const folder = here("swap-4/before")
const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".js"))
const files = {
  "package.json": '{ "private": true }\n',
  ...Object.fromEntries(paths.map((path) => [path, readFileSync(join(folder, path), "utf8")])),
  // A Server Component calls functions of the client module, and a page forwards its request.
  "app/ways/page.jsx": `import { getProviders } from "next-auth/react"
export const dynamic = "force-dynamic"
export default async function Page() {
  return <p id="ways">{Object.keys((await getProviders()) ?? {}).join()}</p>
}
`,
  "pages/forwarded.jsx": `import { getCsrfToken, getSession } from "next-auth/react"
export async function getServerSideProps(context) {
  const [session, csrfToken] = await Promise.all([getSession(context), getCsrfToken(context)])
  return { props: { user: JSON.stringify(session?.user ?? null), csrfToken } }
}
export default function Page({ user, csrfToken }) {
  return <><p id="user">{user}</p><p id="csrf">{csrfToken}</p></>
}
`,
}

const ada = { name: "ada", email: "ada@users.test", role: "admin" }

inChromium("an application of next-auth 4 on the bridge, with Next.js 16", (visit) => {
  const built = new Map<Variant, Built>()
  let port: number
  let site: Site | undefined

  beforeAll(async () => {
    port = await freePort()
    for (const [variant, alias] of Object.entries(variants) as [Variant, string][])
      built.set(variant, await build({ folder: "swap-4/common", major: 16, files, alias: { "next-auth": alias } }))
  }, 820_000)

  afterAll(async () => {
    await site?.stop()
    await Promise.all([...built.values()].map(async ({ folder }) => remove(folder)))
  })

  const deploy = async (variant: Variant): Promise<string> => {
    const chosen = built.get(variant)
    if (chosen === undefined) throw new Error(`The application ${variant} isn't built`)
    await site?.stop()
    const origin = `http://localhost:${port}`
    site = await serve(chosen, { NEXTAUTH_SECRET: secret, NEXTAUTH_URL: origin }, port)
    return origin
  }

  test("a user signs in, is known everywhere, stays signed in after a rollback, and signs out", async () => {
    const { page, context } = await opened()
    const expectUser = async (origin: string) => {
      for (const path of ["/props", "/app", "/forwarded", "/"]) {
        await page.goto(origin + path)
        expect(JSON.parse(await page.locator("#user").innerText()), path).toEqual(ada)
      }
      await page.goto(`${origin}/private`)
      expect(await page.locator("#user").innerText()).toBe("the private page")
      await page.goto(`${origin}/api/me`)
      expect(JSON.parse(await page.locator("body").innerText())).toEqual(ada)
      await page.goto(`${origin}/token`)
      expect(JSON.parse(await page.locator("body").innerText())).toEqual({ sub: "1", name: "ada", role: "admin" })
      await page.goto(`${origin}/ways`)
      expect(await page.locator("#ways").innerText()).toBe("credentials")
    }
    const origin = await deploy("bridge")
    await page.goto(origin)
    await page.getByLabel("Username").fill("ada")
    await page.getByRole("button", { name: "Sign in" }).click()
    await page.locator("#user").waitFor()
    await expectUser(origin)
    await page.goto(`${origin}/forwarded`)
    expect(await page.locator("#csrf").innerText()).toMatch(/^[\da-f]{64}$/)
    const names = (await context.cookies()).map(({ name }) => name).filter((name) => name.includes("session"))
    expect(names).toEqual(["next-auth.session-token"])
    await expectUser(await deploy("before"))
    await expectUser(await deploy("bridge"))
    await page.goto(origin)
    await page.getByRole("button", { name: "Sign out" }).click()
    await page.getByRole("button", { name: "Sign in" }).waitFor()
    await page.goto(`${origin}/app`)
    expect(await page.locator("#user").innerText()).toBe("null")
    await page.goto(`${origin}/private`)
    expect(new URL(page.url()).pathname).toBe("/api/auth/signin")
    await deploy("before")
    await page.goto(`${origin}/app`)
    expect(await page.locator("#user").innerText()).toBe("null")
  })

  async function opened() {
    const { page } = await visit()
    return { page, context: page.context() }
  }
})
