import { inChromium } from "../browser/chromium.js"
import { application } from "./application.js"
import { attacks } from "./cases/attacks.js"
import { answers, refusals } from "./cases/errors.js"
import { passkeys } from "./cases/passkeys.js"
import { sessionReads } from "./cases/session.js"
import { signingIn } from "./cases/sign-in.js"
import { urls } from "./cases/urls.js"

const app = application(1)

sessionReads(app)
answers(app)
urls(app)
attacks(app)
inChromium("Qwik 1", (visit) => {
  signingIn(app, visit)
  refusals(app, visit)
  passkeys(app, visit)
})
