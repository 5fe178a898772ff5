import { inChromium } from "../browser/chromium.js"
import { application } from "./application.js"
import { packages, swap } from "./cases/swap.js"

const app = application(1, packages)

inChromium("an application written for @auth/qwik, with Qwik 1", (visit) => {
  swap(app, visit)
})
