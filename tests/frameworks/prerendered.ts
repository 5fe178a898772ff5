import { expect, test } from "vitest"
import { signedIn, userOn } from "./steps.js"
import type { Served } from "./suite.js"

/** The page `/prerendered`, which asks for the session, and which the build makes. The suite builds without a secret. */
export function prerenderedPage(served: Served): void {
  test("a page that the build makes shows no user, also to one who is signed in", async () => {
    const site = await served()
    expect(await userOn(site.browse(), "/prerendered")).toBe("Not signed in")
    expect(await userOn(await signedIn(site), "/prerendered")).toBe("Not signed in")
  })
}
