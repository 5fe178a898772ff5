import { redisCluster } from "../servers/redis-cluster.js"
import { provided } from "./provided.js"

export default provided("redisCluster", redisCluster)
