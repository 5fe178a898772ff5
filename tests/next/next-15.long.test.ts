import { inChromium } from "../browser/chromium.js"
import { application } from "./application.js"
import { serverActions } from "./cases/actions.js"
import { clientSync } from "./cases/react.js"
import { main } from "./main.js"

const app = application(main(15))

inChromium("Next.js 15", (visit) => {
  serverActions(app, visit, "some")
  clientSync(app, visit, "some")
})
