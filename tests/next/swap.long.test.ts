import { inChromium } from "../browser/chromium.js"
import { swap } from "./cases/swap.js"

inChromium("an application written for next-auth, with Next.js 14", (visit) => {
  swap(visit, { major: 14 }, "some")
})

inChromium("an application written for next-auth, with Next.js 15", (visit) => {
  swap(visit, { major: 15 }, "some")
})
