import { inChromium } from "../browser/chromium.js"
import { application } from "./application.js"
import { serverActions } from "./cases/actions.js"
import { clientInStep } from "./cases/react.js"
import { signingIn } from "./cases/sign-in.js"
import { main } from "./main.js"

const app = application(main(14))

inChromium("Next.js 14", (visit) => {
  signingIn(app, visit, "small")
  serverActions(app, visit, "small")
  clientInStep(app, visit, "small")
})
