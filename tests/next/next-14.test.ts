import { inChromium } from "../browser/chromium.js"
import { application } from "./application.js"
import { serverActions } from "./cases/actions.js"
import { attacksOnMiddleware, authorizedAnswers } from "./cases/authorized.js"
import { middlewareWithoutEngine } from "./cases/bundle.js"
import { everyForm } from "./cases/forms.js"
import { clientInStep } from "./cases/react.js"
import { renewal, rotation } from "./cases/renewal.js"
import { signingIn } from "./cases/sign-in.js"
import { main } from "./main.js"

const app = application(main(14))

everyForm(app)
authorizedAnswers(app)
attacksOnMiddleware(app)
renewal(app)
rotation(app, { middleware: "edge" })
middlewareWithoutEngine(app)
inChromium("Next.js 14", (visit) => {
  signingIn(app, visit, "small")
  serverActions(app, visit, "small")
  clientInStep(app, visit, "small")
})
