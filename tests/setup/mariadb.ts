import { mariadb } from "../servers/mariadb.js"
import { provided } from "./provided.js"

export default provided("mariadb", mariadb)
