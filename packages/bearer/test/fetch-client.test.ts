import { readFile } from "node:fs/promises"
import { afterEach, describe, expect, test, vi } from "vitest"
import { refresh, signIn as signInApp } from "./fetch-client.js"
import { app as client, issuer, redirectUri, signIn, siteOf, verifierOf } from "./site.js"

const app = { issuer, clientId: client.id, redirectUri }

afterEach(() => void vi.unstubAllGlobals())

describe("an app with nothing but fetch", () => {
  test("is the one in the guide", async () => {
    const guide = await readFile(new URL("../../../docs/bearer.md", import.meta.url), "utf8")
    expect(guide).toContain(await readFile(new URL("fetch-client.ts", import.meta.url), "utf8"))
  })

  test("signs a user in, and refreshes", async () => {
    const site = siteOf()
    const browser = await signIn(site)
    vi.stubGlobal("fetch", async (url: string, init: RequestInit) =>
      site.send(url.replace("https://app.test/auth/", ""), init),
    )
    const open = async (url: string) => {
      await browser.get(url)
      await browser.submitForm("bearer/authorize")
      return browser.location
    }
    const tokens = await signInApp(app, open)
    expect(await verifierOf(site)(tokens.access_token)).toMatchObject({ sub: site.idOf("ada"), client_id: "app" })
    const next = await refresh(app, tokens)
    expect(next.refresh_token).not.toBe(tokens.refresh_token)
    const planted = async (url: string) => (await open(url)).replace(/state=[^&]*/, "state=x")
    await expect(signInApp(app, planted)).rejects.toThrow("another request")
  })
})
