import { describe } from "vitest"
import { inChromium } from "../browser/chromium.js"
import { application } from "./application.js"
import { deployments, packages, swap, swapInChromium } from "./cases/swap.js"

describe("an application written for @auth/qwik, with Qwik 2", () => {
  const app = application(2, packages)
  const deploy = deployments(app)

  swap(app, deploy)
  inChromium("in a browser", (visit) => {
    swapInChromium(deploy, visit)
  })
})
