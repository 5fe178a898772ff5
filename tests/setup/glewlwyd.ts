import { glewlwyd } from "../servers/glewlwyd.js"
import { provided } from "./provided.js"

export default provided("glewlwyd", glewlwyd)
