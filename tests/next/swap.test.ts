import { inChromium } from "../browser/chromium.js"
import { swap } from "./cases/swap.js"

inChromium("an application written for next-auth, with Next.js 16", (visit) => {
  swap(visit, { major: 16 }, "all")
})
