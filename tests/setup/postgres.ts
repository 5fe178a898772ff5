import { postgres } from "../servers/postgres.js"
import { provided } from "./provided.js"

export default provided("postgres", postgres)
