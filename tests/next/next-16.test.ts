import { inChromium } from "../browser/chromium.js"
import { application } from "./application.js"
import { serverActions } from "./cases/actions.js"
import { attacksOnMiddleware, authorizedAnswers } from "./cases/authorized.js"
import { faultsCloseEverything } from "./cases/faults.js"
import { everyForm, sessionsInTheDatabase } from "./cases/forms.js"
import { clientInStep } from "./cases/react.js"
import { renewal, rotation } from "./cases/renewal.js"
import { signingIn } from "./cases/sign-in.js"
import { main } from "./main.js"

const app = application(main(16))

everyForm(app)
sessionsInTheDatabase(app)
authorizedAnswers(app)
attacksOnMiddleware(app)
renewal(app)
rotation(app, { middleware: "node" })
faultsCloseEverything(app)
inChromium("Next.js 16", (visit) => {
  signingIn(app, visit, "whole")
  serverActions(app, visit, "whole")
  clientInStep(app, visit, "whole")
})
