import { expect } from "vitest"
import { behavior } from "../behavior.js"
import { at, password, textOf } from "../steps.js"

/** The whole application is below a path, such as `/docs`. */
export const below = [
  behavior({
    id: "below.protect",
    title: "below a base path of the framework, a protected page leads to the sign-in page and back",
    needs: "below",
    async run(site) {
      const browser = site.browse()
      await browser.get("/docs/account?tab=1")
      expect(at(browser)).toBe(`${site.basePath}/signin?callbackUrl=%2Fdocs%2Faccount%3Ftab%3D1`)
      await browser.submitForm("callback/credentials", { email: "ada@users.test", password })
      expect(at(browser)).toBe("/docs/account?tab=1")
      expect(textOf(browser.text, "account")).toBe("ada@users.test")
    },
  }),
]
