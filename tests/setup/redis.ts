import { redis } from "../servers/redis.js"
import { provided } from "./provided.js"

export default provided("redis", redis)
