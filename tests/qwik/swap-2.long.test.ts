import { inChromium } from "../browser/chromium.js"
import { application } from "./application.js"
import { packages, swap } from "./cases/swap.js"

const app = application(2, packages)

inChromium("an application written for @auth/qwik, with Qwik 2", (visit) => {
  swap(app, visit)
})
