import { defineModule, type Module, type ModuleParts, route } from "@latchkey/core/module"
import type { Browser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { errors, memoryAdapter, siteOf } from "./setup.js"

const script = `for (let at = 0; at < 3; at++) document.title += "!"`

/** A module with a page of its own, a factor, and a section of the account page. */
function shown(parts: Pick<ModuleParts, "script">, id = "m"): Module {
  const title = `Page of ${id}`
  return defineModule({
    id,
    load: async () => ({
      routes: [route("GET", "page", { session: "none" }, ({ page }) => page({ title, blocks: [] }))],
      account: () => ({ title, blocks: [{ kind: "form", route: "page", submit: "Go" }] }),
      factor: {
        amr: [id],
        isRequired: () => true,
        form: () => ({ title: `Factor of ${id}`, fields: { answer: {} }, submit: "Continue" }),
        verify: (_context, _attempt, { answer }) => answer === "right" || "Wrong.",
      },
      ...parts,
    }),
  })
}

const configured = { adapter: memoryAdapter(), session: { strategy: "jwt" } } as const

/** The scripts of the page, if its policy allows them. */
function scriptsOf({ response, text }: Browser): readonly (string | undefined)[] {
  const policy = response.headers.get("content-security-policy") ?? ""
  const nonce = /script-src 'nonce-([^']+)'/.exec(policy)?.[1]
  return [...text.matchAll(/<script nonce="([^"]+)">(.*?)<\/script>/gs)].map(([, own, code]) =>
    own === nonce ? code : undefined,
  )
}

describe("the script of a module", () => {
  test.each([
    ["a text", script],
    ["a file that loads later", async () => ({ default: script })],
  ])("is on its own pages and the page of its factor, and nowhere else: %s", async (_, given) => {
    const { browser } = await siteOf([shown({ script: given }), shown({}, "other")], configured)
    await browser.get("/auth/m/page")
    expect(scriptsOf(browser)).toEqual([script])
    await browser.get("/auth/other/page")
    expect(scriptsOf(browser)).toEqual([])
    await browser.get("/auth/signin")
    expect(browser.text).not.toContain(script)
    await browser.submitForm("callback/credentials", { name: "ada" })
    expect(browser.text).toContain("Factor of m")
    expect(scriptsOf(browser)).toEqual([script])
    const step = await browser.fetch("/auth/factor", { headers: { accept: "application/json" } })
    expect(await step.text()).not.toContain("document.title")
    await browser.submitForm("factor", { answer: "wrong" })
    expect(scriptsOf(browser)).toEqual([script])
    await browser.submitForm("factor", { answer: "right" })
    expect(browser.text).toContain("Factor of other")
    expect(scriptsOf(browser)).toEqual([])
    await browser.submitForm("factor", { answer: "right" })
    await browser.get("/auth/account")
    expect(browser.text).toContain("Page of m")
    expect(browser.text).not.toContain(script)
  })

  test("may send requests to this site. Without one, a page allows neither", async () => {
    const { browser } = await siteOf([shown({ script }), shown({}, "other")], configured)
    const policyAt = async (path: string) =>
      (await browser.fetch(path)).headers.get("content-security-policy")?.split("; ") ?? []
    expect(await policyAt("/auth/m/page")).toEqual(
      expect.arrayContaining([expect.stringMatching(/^script-src 'nonce-[^' ]+'$/), "connect-src 'self'"]),
    )
    expect((await policyAt("/auth/other/page")).join()).not.toMatch(/script-src|connect-src/)
  })

  test.each(["'</script><img src=x>'", "'</SCRIPT >'", "'<!-- <script>'"])(
    "that could end its element is a problem of the configuration: %s",
    async (unsafe) => {
      for (const given of [unsafe, async () => ({ default: unsafe })]) {
        const site = await siteOf([shown({ script: given })], configured)
        await site.browser.get("/auth/m/page")
        expect(site.browser.response.status).toBe(500)
        expect(site.browser.text).not.toContain(unsafe)
        expect(errors(site)).toEqual([expect.objectContaining({ message: expect.stringContaining("m: `script`") })])
      }
    },
  )
})
