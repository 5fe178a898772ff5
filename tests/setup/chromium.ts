import { chromium } from "../servers/chromium.js"
import { provided } from "./provided.js"

export default provided("chromium", chromium)
