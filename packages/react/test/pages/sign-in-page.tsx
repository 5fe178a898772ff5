import { createRoot, hydrateRoot } from "react-dom/client"
import { Page, type SignInSetup } from "./sign-in.js"

const target: object = window
const setup: SignInSetup = Reflect.get(target, "setup")
const container = document.getElementById("root")
if (container === null) throw new Error("The page has no root")
if (setup.hydrate === true) hydrateRoot(container, <Page {...setup} />)
else createRoot(container).render(<Page {...setup} />)
